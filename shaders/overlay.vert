// A vertex of the overlay, in pixels of the picture. src/host/overlay_pass.cpp has the other side.
#version 460

layout(push_constant) uniform Push { vec2 scale, offset; };
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 rgba;

layout(location = 0) out vec2 font_uv;
layout(location = 1) out vec4 vertex_rgba;

void main() {
  gl_Position = vec4(position * scale + offset, 0.0, 1.0);
  font_uv = uv;
  vertex_rgba = rgba;
}
