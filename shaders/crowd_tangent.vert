// Like crowd.vert, for vertices that skin.comp has skinned with tangents.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "shared/vertex_input.glsl"
#include "shared/surface.glsl"

layout(location = kAttributePosition) in vec3 skinned_position;
layout(location = kAttributeNormal) in vec3 skinned_normal;
layout(location = kAttributeTangent) in uint skinned_tangent;

void main() {
  vec4 tangent = vec4(0.0);
  if (kMaps != 0) tangent = sinew_decode_tangent(skinned_tangent);
  emit_vertex(position_of(skinned_position), normal_of(skinned_normal), tangent, uint(gl_VertexIndex) + push.first_vertex - first_element);
}
