// The ground at height 0, and the sky above it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
};

layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 color;

void main() {
  // The ground is computed for every pixel: derivatives need neighbors that do the same.
  vec3 down = vec3(direction.x, min(direction.y, -1e-4 * length(direction)), direction.z);
  vec3 position = eye.xyz - down * (eye.y / down.y);
  vec3 ground = ground_color(position, length(fwidth(position.xz)), eye.xyz, 1.0);
  color = vec4(exposed(direction.y < 0.0 ? ground : sky_color(normalize(direction))), 1);
}
