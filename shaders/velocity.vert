// Like crowd.vert, for the motion of each vertex since the frame before. Instances move without turning; a shader of
// instances that turn would read their previous world_from_model.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "shared/crowd.h"
#include "shared/instance_transform.glsl"

// The layout of sinew::SkinnedVertex.
struct Vertex {
  float x, y, z;
  uint normal;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Vertices { Vertex vertices[]; };

layout(location = kAttributePosition) in vec3 skinned_position;
layout(location = kAttributeFirstElement) in uint first_element;
layout(location = kAttributePreviousVertices) in uvec2 previous_vertices;
layout(location = kAttributeMoved) in vec3 moved;

layout(location = 0) out vec4 clip_now;
layout(location = 1) out vec4 clip_before;
layout(location = 2) flat out uint was_drawn;

void main() {
  clip_now = frame.clip_from_world * vec4(to_world(skinned_position), 1.0);
  gl_Position = clip_now;
  was_drawn = previous_vertices == uvec2(0) ? 0u : 1u;
  clip_before = clip_now;
  if (was_drawn == 0u) return;
  Vertex before = Vertices(previous_vertices).vertices[uint(gl_VertexIndex) - first_element];
  clip_before = frame.previous_clip_from_world * vec4(to_world(vec3(before.x, before.y, before.z)) - moved, 1.0);
}
