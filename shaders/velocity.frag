// The velocity of a surface on the picture as a color. The hue is the direction: red is right, yellow-green up, cyan
// left, violet down. The brightness is the speed, on a logarithmic scale. White was not drawn in the frame before, or was behind the camera.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

layout(location = 0) in vec4 clip_now;
layout(location = 1) in vec4 clip_before;
layout(location = 2) flat in uint was_drawn;

layout(location = 0) out vec4 color;

const float kBrightestPixels = 64.0;  // per frame
const float kTurn = 6.28318530718;

vec3 from_hue(float turns) { return clamp(abs(fract(turns + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0); }

void main() {
  color = vec4(1.0);
  if (was_drawn == 0u || clip_before.w <= 0.0) return;
  vec2 half_picture = vec2(frame.picture_width, frame.picture_height) / 2.0;
  vec2 pixels = (clip_now.xy / clip_now.w - clip_before.xy / clip_before.w) * half_picture;
  float speed = length(pixels);
  float hue = speed > 0.0 ? atan(-pixels.y, pixels.x) / kTurn : 0.0;
  color.rgb = from_hue(hue) * min(log2(1.0 + speed) / log2(1.0 + kBrightestPixels), 1.0);
}
