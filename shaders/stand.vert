// What instances sit or stand on.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

layout(location = kAttributeStandPosition) in vec3 position;
layout(location = kAttributeStandNormal) in vec3 normal;
layout(location = kAttributeStandColor) in vec4 color;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 base_color;

void main() {
  world_position = position;
  world_normal = normal;
  base_color = color;
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
