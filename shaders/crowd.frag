// A matt, textured surface in the light of the scene.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
#include "shared/light.glsl"
#include "shared/sunlight.glsl"
layout(set = kSetMaterial, binding = kBindingBaseColor) uniform sampler2D base_color;
layout(push_constant) uniform Push { DrawPushConstants push; };

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in vec3 surface_tint;

layout(location = 0) out vec4 color;

// Cloth takes the tint; what is warm, as skin, hair and leather are, keeps its own color.
vec3 dyed(vec3 own) {
  float gray = dot(own, vec3(0.25, 0.6, 0.15));
  vec3 cloth = mix(own, vec3(gray), 0.65) * surface_tint * 1.45;
  float warm = smoothstep(0.02, 0.14, own.r - own.b);
  return mix(cloth, own, 0.9 * warm);
}

void main() {
  vec3 ray = world_position - frame.eye.xyz;
  float distance = length(ray);
  vec3 direction = ray / distance;
  vec3 normal = normalize(world_normal);
  vec3 albedo = dyed(push.base_color.rgb * texture(base_color, uv).rgb);

  // Near the ground less of the sky is seen.
  float grounded = mix(0.55, 1.0, smoothstep(0.0, 0.9, world_position.y));
  vec3 lit = albedo * light_on(normal, frame.sun.xyz, sunlight(world_position, beside(normal), distance)) * grounded;
  float facing = clamp(1.0 + dot(normal, direction), 0.0, 1.0);
  lit += 0.22 * facing * facing * facing * kHorizon * (0.6 + 0.4 * normal.y);
  color = vec4(haze(lit, direction, frame.sun.xyz, distance, frame.fog_density), 1.0);
}
