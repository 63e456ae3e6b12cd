// The surface of a rigid thing in the evening, or the ground in its shadow. A color above 1 shines.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"
#include "crowd/sun.glsl"

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
  if (kShadow) {
    color = vec4(exposed(ground_color(world, length(fwidth(world.xz)), eye.xyz, 0.0)), 1);
    return;
  }
  vec3 n = dot(normal, eye.xyz - world) < 0.0 ? -normal : normal;
  bool shines = albedo.r > 1.0;
  float open = mix(0.55, 1.0, smoothstep(0.0, 4.0, world.y));  // low walls see less of the sky
  color = vec4(exposed(with_haze(shines ? albedo : reflected(albedo, n, sun_share(world), open), world, eye.xyz)), 1);
}
