// Like crowd.vert, for instanced draws.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "shared/surface.glsl"
#include "shared/pulled_vertex.glsl"

void main() {
  vec4 tangent = vec4(0.0);
  if (kMaps != 0 && kTangents != 0) tangent = pulled_tangent();
  emit_vertex(pulled_position(), pulled_normal(), tangent, uint(gl_VertexIndex));
}
