// A thing that is rigid: houses, lanterns. As a shadow it is flattened onto the ground along the light of the sun.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
};
struct Matrix3x4 {
  vec4 rows[3];
};
layout(std430, set = 0, binding = 0) readonly buffer Places { Matrix3x4 world_from_model[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 model_normal;
layout(location = 2) in vec3 model_color;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 albedo;

void main() {
  Matrix3x4 m = world_from_model[gl_InstanceIndex];
  vec4 p = vec4(position, 1), n = vec4(model_normal, 0);
  world = vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
  normal = vec3(dot(m.rows[0], n), dot(m.rows[1], n), dot(m.rows[2], n));
  albedo = model_color;
  if (kShadow) world -= kToSun * (world.y / kToSun.y);
  gl_Position = clip_from_world * vec4(world, 1);
}
