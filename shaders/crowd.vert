// Draws vertices that skin.comp has skinned.
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

void main() {
  // gl_VertexIndex includes the draw's vertexOffset: it counts from the start of the page of skinned vertices. Texture
  // coordinates are stored once for each mesh.
  emit_vertex(position_of(skinned_position), normal_of(skinned_normal), vec4(0.0), uint(gl_VertexIndex) + push.first_vertex - first_element);
}
