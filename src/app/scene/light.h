// The light of a scene: sun or moon, sky, and small lamps. Colors are linear and in the scene's own scale; the shaders
// end with a film curve (shared/light.glsl).
#pragma once

#include <cstdint>

#include "sinew/asset/math.h"

namespace sinew::app {

enum class Light : uint8_t { kDay, kDusk, kNight };

/// A torch, a lantern. Its light fades to nothing at `reach`. Casts no shadow.
struct Lamp {
  Vec3 position;    // world space, meters
  float reach = 0;  // meters
  Vec3 color;       // of the light that a surface one meter away receives
};

struct LightColors {
  Vec3 to_sun;           // world space, not normalized
  Vec3 sun;              // that a surface facing it receives
  Vec3 zenith, horizon;  // of the sky that is seen
  Vec3 sky, ground;      // that surfaces facing up and down receive from all sides
  float exposure = 1;    // before the film curve
};

const LightColors& colors_of(Light light);

}  // namespace sinew::app
