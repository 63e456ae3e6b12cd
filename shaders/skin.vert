// Skinning in the vertex shader, to compare with skin.comp: every draw skins every vertex again, from the same data.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "../include/sinew/vulkan/skinned_vertex.glsl"
#include "shared/surface.glsl"
#include "shared/vertex_skinning.glsl"

void main() {
  uint vertex = uint(gl_VertexIndex);
  Matrix3x4 m = model_from_mesh(vertex, first_element);
  vec3 position = bound_position(vertex), normal = sinew_decode_normal(meshes[vertex].w);
  add_morphs(vertex, first_element, position, normal);
  normal = normalize(transform_normal(m, normal));
  emit_vertex(transform_point(m, position), mirrors(m) ? -normal : normal, vec4(0.0), vertex);
}
