// Draws a vertex that is already in its place. As a shadow, it is flattened onto the ground along the light of the sun.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 skinned_normal;
layout(location = 2) in vec3 vertex_color;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 albedo;

void main() {
  world = position, normal = skinned_normal, albedo = vertex_color;
  if (kShadow) world -= kToSun * (world.y / kToSun.y);
  gl_Position = clip_from_world * vec4(world, 1);
}
