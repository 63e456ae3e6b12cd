// The light of the scene: one sun, the sky, and the haze between. Colours are linear.

const vec3 kSunColor = vec3(1.55, 1.38, 1.12);
const vec3 kZenith = vec3(0.13, 0.29, 0.62);
const vec3 kHorizon = vec3(0.70, 0.80, 0.88);
const vec3 kGroundBounce = vec3(0.34, 0.29, 0.22);

vec3 sky_color(vec3 direction, vec3 sun) {
  vec3 color = mix(kHorizon, kZenith, pow(clamp(direction.y, 0.0, 1.0), 0.55));
  float toward = max(dot(direction, sun), 0.0);
  return color + kSunColor * (0.10 * pow(toward, 8.0) + 0.5 * pow(toward, 400.0));
}

// What `distance` metres of air leave of a colour.
vec3 haze(vec3 color, vec3 direction, vec3 sun, float distance, float density) {
  float clear = exp(-distance * distance * density * density);
  vec3 level = normalize(vec3(direction.x, 0.02, direction.z));
  return mix(sky_color(level, sun), color, clear);
}

// Light that reaches a matt surface.
vec3 light_on(vec3 normal, vec3 sun) {
  float direct = clamp((dot(normal, sun) + 0.15) / 1.15, 0.0, 1.0);
  vec3 ambient = mix(kGroundBounce, vec3(0.42, 0.50, 0.64), 0.5 + 0.5 * normal.y);
  return kSunColor * direct + ambient;
}
