// A matt, textured surface in the light of the scene.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"
#include "shared/light.glsl"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
layout(set = kSetMaterial, binding = kBindingBaseColor) uniform sampler2D base_color;
layout(push_constant) uniform Push { DrawPushConstants push; };

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in vec3 surface_tint;

layout(location = 0) out vec4 color;

void main() {
  vec3 ray = world_position - frame.eye.xyz;
  float distance = length(ray);
  vec3 direction = ray / distance;
  vec3 normal = normalize(world_normal);
  vec3 albedo = push.base_color.rgb * texture(base_color, uv).rgb * surface_tint;

  // Near the ground less of the sky is seen.
  float grounded = mix(0.55, 1.0, smoothstep(0.0, 0.9, world_position.y));
  vec3 lit = albedo * light_on(normal, frame.sun.xyz) * grounded;
  float facing = clamp(1.0 + dot(normal, direction), 0.0, 1.0);
  lit += 0.22 * facing * facing * facing * kHorizon * (0.6 + 0.4 * normal.y);
  color = vec4(haze(lit, direction, frame.sun.xyz, distance, frame.fog_density), 1.0);
}
