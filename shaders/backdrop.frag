// The place the crowd stands on, an endless paved ground, and the sky above it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
#include "shared/light.glsl"
#include "shared/sunlight.glsl"

layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 color;

const float kSlab = 1.6;  // meters

float hash(vec2 cell) { return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453); }

// Joints between slabs, as wide as a pixel where they would be thinner, and fading there.
float joints(vec2 place, vec2 width) {
  vec2 from_edge = abs(fract(place) - 0.5);
  vec2 line = smoothstep(0.5 - 0.018 - width, vec2(0.5 - 0.008), from_edge) * clamp(0.06 / width, 0.0, 1.0);
  return max(line.x, line.y);
}

vec3 ground_color(vec2 place) {
  vec2 slabs = place / kSlab;
  slabs.x += 0.5 * floor(mod(slabs.y, 2.0));
  vec2 width = fwidth(place / kSlab);
  float detail = clamp(1.0 - 1.4 * max(width.x, width.y), 0.0, 1.0);
  float shade = mix(0.5, hash(floor(slabs)), detail);
  vec3 stone = mix(vec3(0.30, 0.262, 0.212), vec3(0.38, 0.335, 0.27), shade);
  float worn = 0.5 + 0.25 * sin(place.x * 0.13 + 2.0 * sin(place.y * 0.09)) + 0.25 * sin(place.y * 0.17 + place.x * 0.05);
  return stone * mix(0.86, 1.08, worn) * (1.0 - 0.38 * joints(slabs, width));
}

void main() {
  vec3 direction = normalize(ray);
  if (direction.y >= -1e-4) {
    color = vec4(sky_color(direction, frame.sun.xyz), 1.0);
    return;
  }
  float distance = frame.eye.y / -direction.y;
  vec2 place = frame.eye.xz + direction.xz * distance;
  // The ground casts no shadow, so that it needs no offset: shadows begin at the feet.
  float sun = sunlight(vec3(place.x, 0.0, place.y), vec3(0.0), distance);
  vec3 lit = ground_color(place) * light_on(vec3(0.0, 1.0, 0.0), frame.sun.xyz, sun);
  // The crowd keeps some of the sky from the ground under it.
  lit *= mix(0.74, 1.0, smoothstep(0.55, 1.15, length(place) / frame.crowd_radius));
  color = vec4(haze(lit, direction, frame.sun.xyz, distance, frame.fog_density), 1.0);
}
