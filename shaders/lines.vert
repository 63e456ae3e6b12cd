// A line of constant width in pixels, as a rectangle: four vertices of a strip. Lines beyond the near plane are cut.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

layout(location = kAttributeLineFrom) in vec3 from;
layout(location = kAttributeLineTo) in vec3 to;
layout(location = kAttributeLineColor) in vec4 line_color;
layout(location = kAttributeLineWidth) in float width;

layout(location = 0) noperspective out vec2 along_across;  // pixels: along the line from its start, across it
layout(location = 1) flat out vec2 length_radius;          // pixels
layout(location = 2) flat out vec4 rgba;

const float kNearest = 1e-3;  // meters in front of the eye

// The point between `a` and `b`, beyond the near plane if `b` is.
vec4 cut(vec4 a, vec4 b) { return a.w >= kNearest || b.w <= kNearest ? a : mix(a, b, (kNearest - a.w) / (b.w - a.w)); }

vec3 linear_of(vec3 srgb) { return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb)); }

void main() {
  vec4 a = frame.clip_from_world * vec4(from, 1.0), b = frame.clip_from_world * vec4(to, 1.0);
  vec4 start = cut(a, b), end = cut(b, a);
  vec2 half_picture = 0.5 * vec2(frame.picture_width, frame.picture_height);
  vec2 direction = end.xy / end.w * half_picture - start.xy / start.w * half_picture;
  float pixels = length(direction);
  direction = pixels > 1e-3 ? direction / pixels : vec2(1.0, 0.0);
  float radius = 0.5 * width, reach = radius + 1.0;  // one pixel for the soft edge
  vec2 side = vec2(gl_VertexIndex < 2 ? -1.0 : 1.0, (gl_VertexIndex & 1) == 0 ? -1.0 : 1.0);
  vec2 offset = reach * (side.x * direction + side.y * vec2(-direction.y, direction.x));
  vec4 here = gl_VertexIndex < 2 ? start : end;
  gl_Position = vec4(here.xy + offset / half_picture * here.w, here.zw);
  if (a.w <= kNearest && b.w <= kNearest) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // behind the eye: outside the view
  along_across = vec2(gl_VertexIndex < 2 ? -reach : pixels + reach, side.y * reach);
  length_radius = vec2(pixels, radius);
  rgba = vec4(linear_of(line_color.rgb), line_color.a);
}
