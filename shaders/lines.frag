// A line with round ends and a soft edge of one pixel.
#version 460

layout(location = 0) noperspective in vec2 along_across;
layout(location = 1) flat in vec2 length_radius;
layout(location = 2) flat in vec4 rgba;
layout(location = 0) out vec4 color;

void main() {
  vec2 from_line = vec2(along_across.x - clamp(along_across.x, 0.0, length_radius.x), along_across.y);
  float coverage = clamp(length_radius.y + 0.5 - length(from_line), 0.0, 1.0);
  if (coverage <= 0.0) discard;
  color = vec4(rgba.rgb, rgba.a * coverage);
}
