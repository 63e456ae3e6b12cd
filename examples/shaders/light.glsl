// The light of the examples: a sun and the sky, in linear units. Define EVENING for a low sun, STUDIO for light
// without color.
#ifndef LIGHT_GLSL
#define LIGHT_GLSL

#ifdef EVENING
const vec3 kToSun = normalize(vec3(-0.85, 0.30, -0.10));
const vec3 kSun = vec3(1.50, 0.66, 0.26);
const vec3 kZenith = vec3(0.05, 0.11, 0.33), kHorizon = vec3(0.66, 0.30, 0.21);
const vec3 kGround = vec3(0.26, 0.22, 0.20);
const float kHaze = 0.008;
#elif defined(STUDIO)
const vec3 kToSun = normalize(vec3(0.30, 0.90, 0.55));
const vec3 kSun = vec3(0.9);
const vec3 kZenith = vec3(0.25), kHorizon = vec3(0.45);
const vec3 kGround = vec3(0.20);
const float kHaze = 0.02;
#else
const vec3 kToSun = normalize(vec3(0.55, 0.80, 0.50));
const vec3 kSun = vec3(1.75, 1.48, 1.10);
const vec3 kZenith = vec3(0.16, 0.36, 0.78), kHorizon = vec3(0.66, 0.80, 0.96);
const vec3 kGround = vec3(0.36, 0.30, 0.20);
const float kHaze = 0.010;
#endif

vec3 sky_color(vec3 direction) {
  vec3 glow = kSun * 0.35 * pow(max(dot(direction, kToSun), 0.0), 6.0);
  return mix(kHorizon, kZenith, pow(clamp(direction.y * 2.0, 0.0, 1.0), 0.6)) + glow;
}

/// The light that a surface reflects. `sun_share` is 0 in shadow; `open` is the share of the sky that it sees.
vec3 reflected(vec3 albedo, vec3 normal, float sun_share, float open) {
  // Light wraps a little around the edge between day and night, as on skin and cloth.
  float sun = clamp((dot(normal, kToSun) + 0.15) / 1.15, 0.0, 1.0);
  vec3 above = mix(kZenith, kHorizon, 0.30), below = kGround * (kSun * kToSun.y + above) * 0.45;
  vec3 around = mix(below, above, normal.y * 0.5 + 0.5) * open * 0.7;
  return albedo * (kSun * sun * sun_share + around);
}

/// Things beyond 10 m fade into the sky above the horizon.
vec3 with_haze(vec3 color, vec3 position, vec3 eye) {
  vec3 horizon = sky_color(normalize(vec3(position.x - eye.x, 0, position.z - eye.z)));
  return mix(horizon, color, exp(-kHaze * max(distance(position, eye) - 10.0, 0.0)));
}

/// Large square tiles. `pixel` is the size of a pixel on the ground: distant joints of tiles fade out.
vec3 ground_albedo(vec2 position, float pixel) {
  vec2 tile = floor(position / 2.0), inside = abs(fract(position / 2.0) - 0.5) * 2.0;
  float tone = fract(sin(dot(tile, vec2(12.7, 78.3))) * 437.5);
  float gap = 0.012, joint = smoothstep(1.0 - gap - pixel, 1.0 - gap + pixel, max(inside.x, inside.y));
  float fade = 1.0 / (1.0 + pixel * pixel * 4.0);
  return kGround * (1.0 + fade * ((tone - 0.5) * 0.16 - joint * 0.25));
}

/// `pixel` is length(fwidth(position.xz)), which only fragment shaders have.
vec3 ground_color(vec3 position, float pixel, vec3 eye, float sun_share) {
  vec3 color = reflected(ground_albedo(position.xz, pixel), vec3(0, 1, 0), sun_share, 1.0);
  return with_haze(color, position, eye);
}

/// Keeps bright colors below 1, as film does. The target encodes sRGB.
vec3 exposed(vec3 color) { return 1.0 - exp(-1.15 * color); }

#endif
