// The overlay: letters and shapes. Colors are sRGB and are blended so, as Dear ImGui expects.
#version 460

layout(set = 0, binding = 0) uniform sampler2D font;
layout(location = 0) in vec2 font_uv;
layout(location = 1) in vec4 vertex_rgba;
layout(location = 0) out vec4 color;

void main() { color = vertex_rgba * vec4(1.0, 1.0, 1.0, texture(font, font_uv).r); }
