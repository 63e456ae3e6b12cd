// A quad on the ground under each character, stretched away from the sun.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(constant_id = kConstantShadowMaps) const uint kShadowMaps = 0;
layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

const float kContact = 0.25;  // of its darkness

layout(location = kAttributeShadow) in vec3 place;  // x, z, radius

layout(location = 0) out vec2 from_center;
layout(location = 1) out float clear;

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  vec2 away = -normalize(frame.sun.xz);
  // The long axis begins a little before the feet and ends where the head's shadow falls.
  vec2 offset = away * (corner.x * kShadowHalfLength + kShadowHalfLength - kShadowStart) + vec2(-away.y, away.x) * corner.y;
  vec2 ground = place.xy + offset * place.z;
  vec3 position = vec3(ground.x, 0.0, ground.y);
  from_center = corner;
  float distance = length(position - frame.eye.xyz) * frame.fog_density;
  clear = exp(-distance * distance);
  // Where shadow maps are looked at, a trace of it is left; beyond them it fades in.
  if (kShadowMaps > 0) {
    float end = frame.shadow_end[kShadowMaps - 1];
    clear *= mix(kContact, 1.0, smoothstep(kShadowFade * end, end, length(position - frame.eye.xyz)));
  }
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
