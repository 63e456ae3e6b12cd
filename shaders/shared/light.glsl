// The light of the scene: sun, sky, lamps and fog, and the film that it falls on. Colors are linear. Directions and
// normals have unit length. Needs the uniforms `frame`.

// Light that the air scatters: the sky is brighter around the sun.
vec3 glow(vec3 direction) {
  float toward = max(dot(direction, frame.sun.xyz), 0.0);
  float square = toward * toward;
  return frame.sun_light.rgb * (0.14 * square * square * square);
}

vec3 sky_color(vec3 direction) {
  return mix(frame.horizon.rgb, frame.zenith.rgb, 1.0 - exp(-5.0 * max(direction.y, 0.0))) + glow(direction);
}

// A color seen through `distance` meters of air.
vec3 haze(vec3 color, vec3 direction, float distance) {
  float density = frame.fog_density, transmittance = exp(-distance * distance * density * density);
  return mix(frame.horizon.rgb + glow(direction), color, transmittance);
}

// Light that a matte surface receives from the sky and the ground.
vec3 light_of_sky(vec3 normal) { return mix(frame.ground_light.rgb, frame.sky_light.rgb, 0.5 + 0.5 * normal.y); }

// And from the sun. `sunlight` is the share of its light that is not in shadow, 0 to 1.
vec3 light_of_sun(vec3 normal, float sunlight) {
  float direct = clamp((dot(normal, frame.sun.xyz) + 0.15) / 1.15, 0.0, 1.0);
  return frame.sun_light.rgb * (direct * sunlight);
}

// And from the lamps nearby.
vec3 light_of_lamps(vec3 position, vec3 normal) {
  vec3 light = vec3(0.0);
  for (int i = 0; i < int(frame.lamp_count.x); ++i) {
    vec4 lamp = frame.lamps[2 * i];
    vec3 to_lamp = lamp.xyz - position;
    float square = dot(to_lamp, to_lamp), fade = max(1.0 - square / (lamp.w * lamp.w), 0.0);
    if (fade == 0.0) continue;
    float facing = clamp((dot(normal, to_lamp) * inversesqrt(square + 1e-6) + 0.2) / 1.2, 0.0, 1.0);
    light += frame.lamps[2 * i + 1].rgb * (facing * fade * fade / (1.0 + square));
  }
  return light;
}

// All light that a matte surface receives.
vec3 light_on(vec3 position, vec3 normal, float sunlight) {
  return light_of_sun(normal, sunlight) + light_of_sky(normal) + light_of_lamps(position, normal);
}

// What film makes of light: a curve with a dark toe and a soft shoulder. Source: Narkowicz, "ACES Filmic Tone Mapping
// Curve", 2015. The shoulder takes color from bright surfaces; kSaturation gives it back before.
const float kSaturation = 1.18;
vec3 film(vec3 light) {
  vec3 x = light * frame.sun_light.w;
  x = max(mix(vec3(dot(x, vec3(0.2126, 0.7152, 0.0722))), x, kSaturation), 0.0);
  return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
