// The light of the scene: one sun, the sky, and the haze between. Colours are linear.

const vec3 kSunColor = vec3(1.42, 1.22, 0.94);
const vec3 kZenith = vec3(0.06, 0.20, 0.52);
const vec3 kHorizon = vec3(0.70, 0.78, 0.82);
const vec3 kGroundBounce = vec3(0.17, 0.14, 0.10);

vec3 sky_color(vec3 direction, vec3 sun) {
  vec3 color = mix(kHorizon, kZenith, pow(clamp(direction.y, 0.0, 1.0), 0.38));
  float toward = max(dot(direction, sun), 0.0);
  return color + kSunColor * (0.14 * pow(toward, 6.0));
}

// What `distance` metres of air leave of a colour.
vec3 haze(vec3 color, vec3 direction, vec3 sun, float distance, float density) {
  float clear = exp(-distance * distance * density * density);
  vec3 level = normalize(vec3(direction.x, 0.0, direction.z));
  return mix(sky_color(level, sun), color, clear);
}

// Light that reaches a matt surface.
vec3 light_on(vec3 normal, vec3 sun) {
  float direct = clamp((dot(normal, sun) + 0.15) / 1.15, 0.0, 1.0);
  vec3 ambient = mix(kGroundBounce, vec3(0.25, 0.32, 0.45), 0.5 + 0.5 * normal.y);
  return kSunColor * direct + ambient;
}
