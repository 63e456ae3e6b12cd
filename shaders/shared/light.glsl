// The light of the scene: one sun, the sky, and the haze between. Colors are linear.

const vec3 kSunColor = vec3(1.42, 1.22, 0.94);
const vec3 kZenith = vec3(0.06, 0.20, 0.52);
const vec3 kHorizon = vec3(0.70, 0.78, 0.82);
const vec3 kGroundBounce = vec3(0.17, 0.14, 0.10);

// The air is brighter around the sun.
vec3 glow(vec3 direction, vec3 sun) {
  float toward = max(dot(direction, sun), 0.0);
  float square = toward * toward;
  return kSunColor * (0.14 * square * square * square);
}

vec3 sky_color(vec3 direction, vec3 sun) {
  return mix(kHorizon, kZenith, 1.0 - exp(-5.0 * max(direction.y, 0.0))) + glow(direction, sun);
}

// What `distance` meters of air leave of a color.
vec3 haze(vec3 color, vec3 direction, vec3 sun, float distance, float density) {
  float clear = exp(-distance * distance * density * density);
  return mix(kHorizon + glow(direction, sun), color, clear);
}

// Light that reaches a matt surface; `sunlight` is the share of the sun that nothing keeps from it.
vec3 light_on(vec3 normal, vec3 sun, float sunlight) {
  float direct = clamp((dot(normal, sun) + 0.15) / 1.15, 0.0, 1.0);
  vec3 ambient = mix(kGroundBounce, vec3(0.25, 0.32, 0.45), 0.5 + 0.5 * normal.y);
  return kSunColor * (direct * sunlight) + ambient;
}
