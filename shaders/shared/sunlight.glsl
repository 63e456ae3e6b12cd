// Shadows by cascaded shadow maps. Each map is used up to its end distance from the eye, and fades into the next map
// before it. Source of the fading: Valient, "Stable Rendering of Cascaded Shadow Maps", ShaderX6, 2008. Source of the
// offset along the normal: Holbert, "Saying Goodbye to Shadow Acne", GDC 2011.

layout(constant_id = kConstantShadowMaps) const uint kShadowMaps = 0;
layout(set = kSetFrame, binding = kBindingShadowMaps) uniform sampler2DArrayShadow shadow_maps;

// The offset of the lookup position from the surface, in texels, so that the surface does not shadow itself. It depends
// on the angle between the surface and the sun; its factors fit the width of the filter in light_in_map().
vec3 normal_offset(vec3 normal) {
  float facing = dot(normal, frame.sun.xyz);
  return normal * (2.4 * sqrt(max(1.0 - facing * facing, 0.0))) + frame.sun.xyz * 0.7;
}

// The lit share of a position in one map, 0 to 1: a box filter, three texels wide, over the depth comparisons of 4 by 4
// texels. The shader computes the weights, so the device needs no linear filtering of depth. A gather returns the four
// texels around a corner, counterclockwise from the lower left; y points down.
float light_in_map(uint map, vec3 position) {
  vec3 clip = (frame.shadow_from_world[map] * vec4(position, 1.0)).xyz;
  vec2 size = vec2(textureSize(shadow_maps, 0).xy), texel = (clip.xy * 0.5 + 0.5) * size - 0.5;
  vec2 corner = floor(texel), f = texel - corner;
  vec4 left_weights = vec4(1.0 - f.x, 1.0, 1.0, 1.0 - f.x), right_weights = vec4(1.0, f.x, f.x, 1.0);
  float light = 0.0;
  for (int row = 0; row < 2; ++row) {
    vec2 uv = (corner + vec2(0.0, 2 * row)) / size;
    vec4 row_weights = row == 0 ? vec4(1.0, 1.0, 1.0 - f.y, 1.0 - f.y) : vec4(f.y, f.y, 1.0, 1.0);
    light += dot(textureGather(shadow_maps, vec3(uv, float(map)), clip.z), left_weights * row_weights);
    light += dot(textureGather(shadow_maps, vec3(uv + vec2(2.0 / size.x, 0.0), float(map)), clip.z),
                 right_weights * row_weights);
  }
  return light / 9.0;
}

// The share of the sun's light at a position, 0 to 1. `offset` is in texels, as from normal_offset(). `distance` is the
// distance from the eye in meters; beyond the last map everything is lit.
float sunlight(vec3 position, vec3 offset, float distance) {
  if (kShadowMaps == 0 || distance > frame.shadow_end[max(kShadowMaps, 1u) - 1u]) return 1.0;
  uint map = 0;
  while (map + 1 < kShadowMaps && distance > frame.shadow_end[map]) ++map;
  float light = light_in_map(map, position + offset * frame.shadow_texel[map]);
  float fade = smoothstep(kShadowFade * frame.shadow_end[map], frame.shadow_end[map], distance);
  if (fade == 0.0) return light;
  float next = map + 1 < kShadowMaps ? light_in_map(map + 1, position + offset * frame.shadow_texel[map + 1]) : 1.0;
  return mix(light, next, fade);
}
