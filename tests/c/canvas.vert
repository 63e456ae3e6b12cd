// Draws a skinned vertex as a point: the pixel says which vertex of which drawn instance it is, the colors where it is
// and where it was.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "sinew/vulkan/skinned_vertex.glsl"

layout(push_constant) uniform Push {
  uint width, height;
  uint room;          // pixels of an instance
  uint vertex_count;  // of the mesh
};

// Of the host: which of its instances; with PULLED its first vertices, now and in the frame before, or ~0: none.
layout(location = 0) in uvec3 person;
#ifdef PULLED
layout(std430, set = 0, binding = 0) readonly buffer Now { uint words_now[]; };
layout(std430, set = 0, binding = 1) readonly buffer Before { uint words_before[]; };
#else
layout(location = 1) in vec3 position;
layout(location = 2) in vec2 normal;
layout(location = 3) in vec3 position_before;
#endif

layout(location = 0) out vec4 now;
layout(location = 1) out vec4 before;

void main() {
#ifdef PULLED
  uint at = 4 * (person.y + gl_VertexIndex), was_at = 4 * (person.z + gl_VertexIndex);
  vec3 position = uintBitsToFloat(uvec3(words_now[at], words_now[at + 1], words_now[at + 2]));
  vec2 normal = sinew_snorm(words_now[at + 3]);
  vec3 position_before = position;
  if (person.z != ~0u)
    position_before = uintBitsToFloat(uvec3(words_before[was_at], words_before[was_at + 1], words_before[was_at + 2]));
#endif
  now = vec4(position, float(person.x));
  before = vec4(position_before, sinew_decode_normal(normal).z);
  uint pixel = gl_InstanceIndex * room + sinew_mesh_vertex(gl_VertexIndex, vertex_count);
  gl_PointSize = 1.0;
  gl_Position = vec4((vec2(pixel % width, pixel / width) + 0.5) / vec2(width, height) * 2.0 - 1.0, 0.0, 1.0);
}
