// Fires: the flames of lamps that burn, at a scene time.
#pragma once

#include "scene/scene.h"

namespace sinew::app {

/// Appends the flames of all lamps that burn to Scene::props, which has none yet, and sets their strength: their light
/// flickers. Both depend on the lamps and the time alone.
void burn(double seconds, Scene& scene);

}  // namespace sinew::app
