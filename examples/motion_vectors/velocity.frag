// The motion of a pixel since the frame before, as a color: the hue is its direction, the saturation its speed.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(constant_id = 0) const bool kShadow = false;
const float kFullSpeed = 0.006;  // picture heights per frame

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
  float aspect;
};

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 clip;
layout(location = 3) in vec4 clip_before;
layout(location = 0) out vec4 color;

/// Right is red, then counterclockwise: up is a green yellow, left cyan, down violet.
vec3 hue(vec2 direction) {
  float turn = atan(-direction.y, direction.x) / radians(360.0);
  return clamp(abs(fract(turn + vec3(0, 2, 1) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

void main() {
  float pixel = length(fwidth(world.xz));
  if (kShadow) {
    color = vec4(exposed(ground_color(world, pixel, eye.xyz, 0.0)), 1);
    return;
  }
  // What a renderer would write into its velocity buffer: half of clip space is the picture.
  vec2 velocity = (clip.xy / clip.w - clip_before.xy / clip_before.w) * 0.5;
  vec2 in_heights = velocity * vec2(aspect, 1);
  float speed = length(in_heights);
  float saturation = sqrt(min(speed / kFullSpeed, 1.0));
  vec3 albedo = mix(vec3(0.42), speed > 0.0 ? hue(in_heights / speed) : vec3(1), saturation);
  color = vec4(exposed(reflected(albedo, normalize(normal), 1.0, 1.0)), 1);
}
