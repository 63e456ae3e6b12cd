// Writes what canvas.vert says.
#version 450

layout(location = 0) in vec4 now;
layout(location = 1) in vec4 before;
layout(location = 0) out vec4 color_now;
layout(location = 1) out vec4 color_before;

void main() { color_now = now, color_before = before; }
