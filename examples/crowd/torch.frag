#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(location = 0) in vec3 light;
layout(location = 0) out vec4 color;

void main() { color = vec4(exposed(light), 1); }
