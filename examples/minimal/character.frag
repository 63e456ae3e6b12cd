// The surface of a character in the light of sun and sky, or the ground in its shadow.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

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
layout(location = 4) in vec4 vertex_color;
layout(location = 0) out vec4 color;

void main() {
  float pixel = length(fwidth(world.xz));
  vec4 albedo = texture(base_color_image, uv) * base_color * vertex_color;
  if (albedo.a < 0.5) discard;
  if (kShadow) {
    color = vec4(exposed(ground_color(world, pixel, eye.xyz, 0.0)), 1);
    return;
  }
  if (!gl_FrontFacing && double_sided == 0) discard;
  // Near the ground a part of the sky is hidden by the neighbors.
  float open = mix(0.55, 1.0, smoothstep(0.0, 1.2, world.y));
  vec3 n = normalize(gl_FrontFacing ? normal : -normal), to_eye = normalize(eye.xyz - world);
  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0) * 0.35 * open;
  vec3 lit = reflected(albedo.rgb, n, 1.0, open) + rim * sky_color(n) * albedo.rgb;
  color = vec4(exposed(with_haze(lit, world, eye.xyz)), 1);
}
