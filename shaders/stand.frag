// A matte surface in sunlight and fog.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
#include "shared/light.glsl"
#include "shared/sunlight.glsl"

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec4 base_color;  // alpha: how much it glows by itself, 0 to 1
layout(location = 0) out vec4 color;

const float kGlow = 8.0;

void main() {
  vec3 normal = normalize(world_normal), from_eye = world_position - frame.eye.xyz;
  float distance = length(from_eye);
  float sun = sunlight(world_position, normal_offset(normal), distance);
  vec3 lit = base_color.rgb * (light_on(world_position, normal, sun) + kGlow * base_color.a);
  color = vec4(film(haze(lit, from_eye / distance, distance)), 1.0);
}
