// The background: an infinite ground, y = 0, paved or with a grid, and the sky.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
#include "shared/light.glsl"
#include "shared/sunlight.glsl"

layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 color;

const float kSlabSize = 1.6;  // meters

float hash(vec2 cell) { return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453); }

// How much of a pixel at `position` is gap between slabs, 0 to 1. `width` is the size of the pixel. Both are in slabs.
// A gap is drawn at least one pixel wide; where it would be narrower, its contrast fades.
float gaps(vec2 position, vec2 width) {
  vec2 from_center = abs(fract(position) - 0.5);
  vec2 line = smoothstep(0.5 - 0.018 - width, vec2(0.5 - 0.008), from_center) * clamp(0.06 / width, 0.0, 1.0);
  return max(line.x, line.y);
}

// The color of the ground at x and z, in meters.
vec3 ground_color(vec2 position) {
  vec2 slabs = position / kSlabSize;
  slabs.x += 0.5 * floor(mod(slabs.y, 2.0));
  vec2 width = fwidth(position / kSlabSize);
  float detail = clamp(1.0 - 1.4 * max(width.x, width.y), 0.0, 1.0);
  float shade = mix(0.5, hash(floor(slabs)), detail);
  vec3 stone = mix(vec3(0.30, 0.262, 0.212), vec3(0.38, 0.335, 0.27), shade);
  float wear = 0.5 + 0.25 * sin(position.x * 0.13 + 2.0 * sin(position.y * 0.09)) +
               0.25 * sin(position.y * 0.17 + position.x * 0.05);
  return stone * mix(0.86, 1.08, wear) * (1.0 - 0.38 * gaps(slabs, width));
}

// How much of a pixel is covered by the lines of a grid, 0 to 1: one pixel wide, at every whole number of `position`.
// Lines closer than some pixels fade.
float grid_lines(vec2 position) {
  vec2 width = fwidth(position);
  vec2 line = clamp(1.0 - abs(fract(position - 0.5) - 0.5) / width, 0.0, 1.0);
  vec2 fade = clamp(1.5 - 6.0 * width, 0.0, 1.0);
  return max(line.x * fade.x, line.y * fade.y);
}

// How much of a pixel is covered by the line where `coordinate` is 0.
float axis_line(float coordinate) { return clamp(1.5 - abs(coordinate) / fwidth(coordinate), 0.0, 1.0); }

// A plain ground with the lines of the grid, ten finer ones between two of them, and the axes: x red, z blue.
vec3 grid_color(vec2 position) {
  vec2 cells = position / frame.grid.x;
  vec3 ground = mix(vec3(0.135), vec3(0.185), 0.55 * grid_lines(cells * 10.0));
  ground = mix(ground, vec3(0.34), 0.8 * grid_lines(cells));
  ground = mix(ground, vec3(0.55, 0.10, 0.08), axis_line(position.y));
  return mix(ground, vec3(0.10, 0.20, 0.62), axis_line(position.x));
}

void main() {
  vec3 direction = normalize(ray);
  if (direction.y >= -1e-4) {
    color = vec4(film(sky_color(direction)), 1.0);
    return;
  }
  float distance = frame.eye.y / -direction.y;
  vec2 position = frame.eye.xz + direction.xz * distance;
  // The ground is not in the shadow maps and cannot shadow itself. So the offset is 0, and shadows begin at the feet.
  float sun = sunlight(vec3(position.x, 0.0, position.y), vec3(0.0), distance);
  vec3 ground = frame.grid.x > 0.0 ? grid_color(position) : ground_color(position);
  vec3 lit = ground * light_on(vec3(position.x, 0.0, position.y), vec3(0.0, 1.0, 0.0), sun);
  // An approximation of ambient occlusion: the ground within the crowd is darker.
  lit *= mix(0.74, 1.0, smoothstep(0.55, 1.15, length(position - frame.grid.yz) / frame.crowd_radius));
  color = vec4(film(haze(lit, direction, distance)), 1.0);
}
