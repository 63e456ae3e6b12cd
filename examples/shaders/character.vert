// Places a skinned vertex in the world. As a shadow, it is flattened onto the ground along the light of the sun.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"
#include "sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
  vec4 base_color;
  uint vertex_count, first_stream_vertex;
};

struct Transform {
  vec4 rows[3];  // world_from_model
};
// In the order of SkinnedCrowd::instances(), to which firstInstance refers.
layout(std430, set = 0, binding = 0) readonly buffer Transforms { Transform transforms[]; };
layout(std430, set = 0, binding = 1) readonly buffer Tints { vec4 tints[]; };
struct StaticVertex {
  vec2 uv;
  uvec2 color;  // four times 16 bits
};
layout(std430, set = 0, binding = 2) readonly buffer StaticVertices { StaticVertex static_vertices[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 octahedral_normal;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;
layout(location = 3) out vec3 tint;
layout(location = 4) out vec4 vertex_color;

void main() {
  Transform instance = transforms[gl_InstanceIndex];
  vec4 p = vec4(position, 1), n = vec4(sinew_decode_normal(octahedral_normal), 0);
  world = vec3(dot(instance.rows[0], p), dot(instance.rows[1], p), dot(instance.rows[2], p));
  normal = normalize(vec3(dot(instance.rows[0], n), dot(instance.rows[1], n), dot(instance.rows[2], n)));
  // Shared by all instances. Small levels of detail have colors in place of a texture.
  StaticVertex shared_vertex = static_vertices[first_stream_vertex + sinew_mesh_vertex(gl_VertexIndex, vertex_count)];
  uv = shared_vertex.uv;
  vertex_color = vec4(unpackUnorm2x16(shared_vertex.color.x), unpackUnorm2x16(shared_vertex.color.y));
  tint = tints[gl_InstanceIndex].rgb;
  if (kShadow) world -= kToSun * (world.y / kToSun.y);
  gl_Position = clip_from_world * vec4(world, 1);
}
