// Cuts masks out of passes that write only depth, with the outputs of crowd.vert and skin.vert.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetMaterial, binding = kBindingBaseColor) uniform sampler2D base_color;
layout(push_constant) uniform Push { DrawPushConstants push; };

layout(location = 2) in vec2 uv;
layout(location = 4) in vec4 vertex_color;

void main() {
  if (push.base_color.a * texture(base_color, uv).a * vertex_color.a < push.alpha_cutoff) discard;
}
