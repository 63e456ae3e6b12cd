// Light that a surface reflects as a mirror does, more or less blurred: of the sun and of the sky. Needs light.glsl and
// material.glsl. The diffuse light of light.glsl has no factor 1 / pi, so this has none either.

float fifth_power(float x) { return x * x * x * x * x; }

// The sun, by the microfacet model of glTF 2.0, appendix B: GGX, Smith's height-correlated shadowing, Schlick's Fresnel.
// Source: B. Walter et al., "Microfacet Models for Refraction through Rough Surfaces", 2007.
vec3 mirrored_sun(Surface surface, vec3 face_on, vec3 normal, vec3 direction, vec3 sun) {
  float to_sun = dot(normal, sun), to_eye = max(-dot(normal, direction), 1e-3);
  if (to_sun <= 0.0) return vec3(0.0);
  vec3 middle = normalize(sun - direction);
  float width = max(surface.roughness * surface.roughness, 2e-3), square = width * width;
  float along = clamp(dot(normal, middle), 0.0, 1.0), peak = along * along * (square - 1.0) + 1.0;
  float shadowing = to_sun * sqrt(to_eye * to_eye * (1.0 - square) + square) +
                    to_eye * sqrt(to_sun * to_sun * (1.0 - square) + square);
  vec3 fresnel = face_on + (1.0 - face_on) * fifth_power(1.0 - clamp(dot(sun, middle), 0.0, 1.0));
  return frame.sun_light.rgb * fresnel * (square / (peak * peak) * 0.5 / shadowing * to_sun);
}

// The surroundings: sky above, ground below; blurred by roughness towards the light from all sides.
vec3 mirrored_sky(Surface surface, vec3 face_on, vec3 normal, vec3 direction) {
  vec3 mirrored = reflect(direction, normal);
  vec3 sharp = mix(frame.ground_light.rgb, sky_color(mirrored), smoothstep(-0.15, 0.15, mirrored.y));
  float grazing = fifth_power(clamp(1.0 + dot(normal, direction), 0.0, 1.0));
  vec3 fresnel = face_on + (max(vec3(1.0 - surface.roughness), face_on) - face_on) * grazing;
  return fresnel * mix(sharp, light_of_sky(mirrored), surface.roughness);
}
