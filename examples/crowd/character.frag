// The surface of a character in the evening, or the ground in its shadow.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
  vec4 base_color;
  uint vertex_count, first_stream_vertex;
};
layout(set = 0, binding = 3) uniform sampler2D base_color_image;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec3 tint;
layout(location = 4) in vec4 vertex_color;
layout(location = 0) out vec4 color;

/// Clothes are what is more blue than red; they get the instance's color, and keep their folds.
vec3 tinted(vec3 albedo) {
  float cloth = smoothstep(0.0, 0.06, albedo.b - albedo.r);
  return mix(albedo, tint * dot(albedo, vec3(0.3, 0.6, 0.1)) * 2.4, cloth);
}

void main() {
  float pixel = length(fwidth(world.xz));
  vec4 albedo = texture(base_color_image, uv) * base_color * vertex_color;
  if (albedo.a < 0.5) discard;
  if (kShadow) {
    color = vec4(exposed(ground_color(world, pixel, eye.xyz, 0.0)), 1);
    return;
  }
  float open = mix(0.45, 1.0, smoothstep(0.0, 1.4, world.y));  // in a crowd little of the sky is seen from below
  vec3 n = normalize(normal), to_eye = normalize(eye.xyz - world);
  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0) * 0.8 * open;
  vec3 base = tinted(albedo.rgb);
  vec3 lit = reflected(base, n, 1.0, open) + rim * sky_color(n) * base;
  color = vec4(exposed(with_haze(lit, world, eye.xyz)), 1);
}
