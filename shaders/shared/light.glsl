// The light of the scene: sun, sky and fog. Colors are linear. Directions and normals have unit length; `sun` points
// towards the sun.

const vec3 kSunColor = vec3(1.42, 1.22, 0.94);
const vec3 kZenith = vec3(0.06, 0.20, 0.52);
const vec3 kHorizon = vec3(0.70, 0.78, 0.82);
const vec3 kGroundBounce = vec3(0.17, 0.14, 0.10);

// Light that the air scatters: the sky is brighter around the sun.
vec3 glow(vec3 direction, vec3 sun) {
  float toward = max(dot(direction, sun), 0.0);
  float square = toward * toward;
  return kSunColor * (0.14 * square * square * square);
}

vec3 sky_color(vec3 direction, vec3 sun) {
  return mix(kHorizon, kZenith, 1.0 - exp(-5.0 * max(direction.y, 0.0))) + glow(direction, sun);
}

// A color seen through `distance` meters of air. `density` is the density of fog per meter.
vec3 haze(vec3 color, vec3 direction, vec3 sun, float distance, float density) {
  float transmittance = exp(-distance * distance * density * density);
  return mix(kHorizon + glow(direction, sun), color, transmittance);
}

// Light that a matte surface receives from the sky and the ground.
vec3 light_of_sky(vec3 normal) { return mix(kGroundBounce, vec3(0.25, 0.32, 0.45), 0.5 + 0.5 * normal.y); }

// And from the sun. `sunlight` is the share of its light that is not in shadow, 0 to 1.
vec3 light_of_sun(vec3 normal, vec3 sun, float sunlight) {
  float direct = clamp((dot(normal, sun) + 0.15) / 1.15, 0.0, 1.0);
  return kSunColor * (direct * sunlight);
}

// All light that a matte surface receives.
vec3 light_on(vec3 normal, vec3 sun, float sunlight) {
  return light_of_sun(normal, sun, sunlight) + light_of_sky(normal);
}
