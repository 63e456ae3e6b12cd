// Like skin.vert, for passes that write only depth: it does not skin normals.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "shared/vertex_skinning.glsl"

layout(location = kAttributeFirstElement) in uint first_element;

void main() {
  uint vertex = uint(gl_VertexIndex);
  vec3 position = bound_position(vertex), normal = vec3(0.0);
  add_morphs(vertex, first_element, position, normal);
  position = transform_point(model_from_mesh(vertex, first_element), position);
  gl_Position = frame.clip_from_world * vec4(to_world(position), 1.0);
}
