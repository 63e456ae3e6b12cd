// A vertex of the overlay, in pixels of the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(push_constant) uniform Push { OverlayPushConstants push; };
layout(location = kAttributeOverlayPosition) in vec2 position;
layout(location = kAttributeOverlayUv) in vec2 uv;
layout(location = kAttributeOverlayColor) in vec4 rgba;

layout(location = 0) out vec2 font_uv;
layout(location = 1) out vec4 vertex_rgba;

void main() {
  gl_Position = vec4(position * vec2(push.scale[0], push.scale[1]) + vec2(push.offset[0], push.offset[1]), 0.0, 1.0);
  font_uv = uv;
  vertex_rgba = rgba;
}
