// One triangle that covers the whole image, at the far plane.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

layout(location = 0) out vec3 ray;  // from the eye to the far plane, in world space

void main() {
  vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 1.0, 1.0);
  vec4 far = frame.world_from_clip * gl_Position;
  ray = far.xyz / far.w - frame.eye.xyz;
}
