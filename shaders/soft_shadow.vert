// The soft shadow of an instance: a quad on the ground, from the instance in the direction away from the sun.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(constant_id = kConstantShadowMaps) const uint kShadowMaps = 0;
layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };

const float kStrengthWithMaps = 0.25;  // where shadow maps are used too; 1 elsewhere

layout(push_constant) uniform Push { ShadowPushConstants push; };

layout(location = kAttributeOrigin) in vec3 origin;
layout(location = kAttributeTurn) in vec2 turn;
layout(location = kAttributeFeet) in uint feet;

layout(location = 0) out vec2 from_center;  // -1 to 1 from edge to edge; x points away from the sun
layout(location = 1) out float strength;    // 0 to 1

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  vec2 away = -normalize(frame.sun.xz);
  // The long axis begins kShadowStart radii from the instance towards the sun, and ends near the shadow of the head.
  vec2 offset =
      away * (corner.x * kShadowHalfLength + kShadowHalfLength - kShadowStart) + vec2(-away.y, away.x) * corner.y;
  vec2 from_origin =
      vec2(bitfieldExtract(int(feet), 0, int(kFeetBits)), bitfieldExtract(int(feet), int(kFeetBits), int(kFeetBits))) /
      float(kFeetSteps);
  vec2 ground = origin.xz + from_origin + offset * (length(turn) * push.radius);
  vec3 position = vec3(ground.x, 0.0, ground.y);
  from_center = corner;
  float distance = length(position - frame.eye.xyz) * frame.fog_density;  // relative to the fog
  strength = exp(-distance * distance);
  // Where shadow maps are used, the soft shadow is weak. It fades in where the last map fades out.
  if (kShadowMaps > 0) {
    float end = frame.shadow_end[kShadowMaps - 1];
    strength *= mix(kStrengthWithMaps, 1.0, smoothstep(kShadowFade * end, end, length(position - frame.eye.xyz)));
  }
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
