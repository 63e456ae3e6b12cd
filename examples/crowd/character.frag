// The surface of a character in the evening, or the ground in its shadow.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"
#include "crowd/sun.glsl"

layout(constant_id = 0) const bool kShadow = false;

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
  vec4 base_color;
  uint vertex_count, first_stream_vertex, double_sided;
};
layout(set = 0, binding = 3) uniform sampler2D base_color_image;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec3 tint;
layout(location = 4) in vec4 vertex_color;
layout(location = 0) out vec4 color;

/// Where the texture has region `number`: its alpha is 255 less the number, see assets/README.md.
float region(float number) {
  vec4 alphas = textureGather(base_color_image, uv, 3) * 255.0;
  return dot(vec4(lessThan(abs(alphas - 255.0 + number), vec4(0.5))), vec4(0.25));
}

/// Clothes and hair get colors of the instance, and keep their folds.
vec3 tinted(vec3 albedo) {
  float light = dot(albedo, vec3(0.3, 0.6, 0.1)) * 2.4, chance = fract(dot(tint, vec3(37.7, 91.3, 53.9)));
  vec3 hair = mix(vec3(0.03, 0.02, 0.015), vec3(0.75, 0.48, 0.22), chance * chance) * 2.0;
  vec3 trousers = mix(vec3(0.22, 0.19, 0.16), tint.brg, 0.3) * (0.4 + chance);
  albedo = mix(albedo, hair * light, region(2.0));
  albedo = mix(albedo, tint * light, region(3.0));
  return mix(albedo, trousers * light, region(4.0));
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
  if (!gl_FrontFacing && double_sided == 0) discard;
  vec3 n = normalize(gl_FrontFacing ? normal : -normal), to_eye = normalize(eye.xyz - world);
  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0) * 0.8 * open;
  vec3 base = tinted(albedo.rgb);
  vec3 lit = reflected(base, n, sun_share(world), open) + rim * sky_color(n) * base;
  color = vec4(exposed(with_haze(lit, world, eye.xyz)), 1);
}
