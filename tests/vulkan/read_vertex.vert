// Reads a skinned vertex through vertex input.
#version 460

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 normal;

void main() { gl_Position = vec4(position, normal.x); }
