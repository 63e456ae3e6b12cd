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
  uint vertex_count;
};

// Rows of a sinew::Matrix3x4. The instance of a draw is its firstInstance.
struct Matrix3x4 {
  vec4 rows[3];
};
layout(std430, set = 0, binding = 0) readonly buffer Instances { Matrix3x4 world_from_model[]; };
layout(std430, set = 0, binding = 1) readonly buffer TextureCoordinates { vec2 uvs[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 octahedral_normal;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;

vec3 multiply(Matrix3x4 m, vec4 v) { return vec3(dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)); }

void main() {
  Matrix3x4 m = world_from_model[gl_InstanceIndex];
  world = multiply(m, vec4(position, 1));
  normal = normalize(multiply(m, vec4(sinew_decode_normal(octahedral_normal), 0)));
  uv = uvs[sinew_mesh_vertex(gl_VertexIndex, vertex_count)];  // shared by all instances
  if (kShadow) world -= kToSun * (world.y / kToSun.y);
  gl_Position = clip_from_world * vec4(world, 1);
}
