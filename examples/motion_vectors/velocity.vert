// Where a vertex is now, and where it was in the frame before.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"
#include "sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = 0) const bool kShadow = false;

struct Matrix3x4 {
  vec4 rows[3];
};
struct Instance {
  Matrix3x4 world_from_model, world_from_model_before;
};
layout(std430, set = 0, binding = 0) readonly buffer Scene {
  mat4 clip_from_world, clip_from_world_before;
  Instance instances[];
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 octahedral_normal;
layout(location = 2) in vec3 position_before;  // the same vertex, skinned in the frame before

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 clip;
layout(location = 3) out vec4 clip_before;

vec3 multiply(Matrix3x4 m, vec4 v) { return vec3(dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)); }

void main() {
  Instance instance = instances[gl_InstanceIndex];
  world = multiply(instance.world_from_model, vec4(position, 1));
  normal = normalize(multiply(instance.world_from_model, vec4(sinew_decode_normal(octahedral_normal), 0)));
  vec3 world_before = multiply(instance.world_from_model_before, vec4(position_before, 1));
  if (kShadow) world -= kToSun * (world.y / kToSun.y);
  clip = clip_from_world * vec4(world, 1);
  clip_before = clip_from_world_before * vec4(world_before, 1);
  gl_Position = clip;
}
