// A surface in the light of sun and sky, or the ground in its shadow.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
};

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo;
layout(location = 0) out vec4 color;

void main() {
  float pixel = length(fwidth(world.xz));
  vec3 lit = kShadow ? ground_color(world, pixel, eye.xyz, 0.0) : reflected(albedo, normalize(normal), 1.0, 1.0);
  color = vec4(exposed(lit), 1);
}
