#version 450

layout(location = 0) in vec2 from_middle;
layout(location = 1) in float strength;
layout(location = 0) out vec4 color;

void main() {
  float near = max(1.0 - length(from_middle), 0.0);
  color = vec4(vec3(1.0, 0.45, 0.12) * near * near * strength, 1);
}
