// How much of the sun reaches a place, by shadow maps: each serves the distances from the eye to its end, and fades into
// the next before it. Source of fading and of offsets along the normal: Valient, "Stable Rendering of Cascaded Shadow
// Maps", ShaderX6, 2008; Holbert, "Saying Goodbye to Shadow Acne", GDC 2011.

layout(constant_id = kConstantShadowMaps) const uint kShadowMaps = 0;
layout(set = kSetFrame, binding = kBindingShadowMaps) uniform sampler2DArrayShadow shadow_maps;

// Where a surface looks into the maps, in texels from itself: so far beside it that it does not find itself, tilted as
// it is and wide as the filter is.
vec3 beside(vec3 normal) {
  float facing = dot(normal, frame.sun.xyz);
  return normal * (2.4 * sqrt(max(1.0 - facing * facing, 0.0))) + frame.sun.xyz * 0.7;
}

// The comparisons of 4 by 4 texels, weighted as a box three texels wide covers them: few devices need smooth depth
// themselves. A gather has four texels around a corner, counterclockwise from the lower left, y down.
float light_in_map(uint map, vec3 place) {
  vec3 at = (frame.shadow_from_world[map] * vec4(place, 1.0)).xyz;
  vec2 size = vec2(textureSize(shadow_maps, 0).xy), texel = (at.xy * 0.5 + 0.5) * size - 0.5;
  vec2 corner = floor(texel), f = texel - corner;
  vec4 low = vec4(1.0 - f.x, 1.0, 1.0, 1.0 - f.x), high = vec4(1.0, f.x, f.x, 1.0);
  float light = 0.0;
  for (int row = 0; row < 2; ++row) {
    vec2 uv = (corner + vec2(0.0, 2 * row)) / size;
    vec4 down = row == 0 ? vec4(1.0, 1.0, 1.0 - f.y, 1.0 - f.y) : vec4(f.y, f.y, 1.0, 1.0);
    light += dot(textureGather(shadow_maps, vec3(uv, float(map)), at.z), low * down);
    light += dot(textureGather(shadow_maps, vec3(uv + vec2(2.0 / size.x, 0.0), float(map)), at.z), high * down);
  }
  return light / 9.0;
}

// `distance` is that from the eye; `offset` is in texels. Beyond the last map everything is lit.
float sunlight(vec3 place, vec3 offset, float distance) {
  if (kShadowMaps == 0 || distance > frame.shadow_end[max(kShadowMaps, 1u) - 1u]) return 1.0;
  uint map = 0;
  while (map + 1 < kShadowMaps && distance > frame.shadow_end[map]) ++map;
  float light = light_in_map(map, place + offset * frame.shadow_texel[map]);
  float fade = smoothstep(kShadowFade * frame.shadow_end[map], frame.shadow_end[map], distance);
  if (fade == 0.0) return light;
  float next = map + 1 < kShadowMaps ? light_in_map(map + 1, place + offset * frame.shadow_texel[map + 1]) : 1.0;
  return mix(light, next, fade);
}
