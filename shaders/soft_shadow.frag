// A soft shadow: an ellipse that is darkest near its center, and darker at the end near the feet than at the far end.
#version 460

layout(location = 0) in vec2 from_center;
layout(location = 1) in float strength;
layout(location = 0) out vec4 color;

void main() {
  float falloff = clamp(1.0 - dot(from_center, from_center), 0.0, 1.0);
  float along_axis = 0.75 - 0.25 * from_center.x;
  color = vec4(0.05, 0.055, 0.08, 0.85 * falloff * falloff * along_axis * strength);
}
