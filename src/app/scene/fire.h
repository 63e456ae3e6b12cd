// Fires: the flames of lamps that burn, at a scene time.
#pragma once

#include "scene/scene.h"

namespace sinew::app {

/// Appends the flames of all lamps that burn to Scene::props, and lets their light flicker. It depends on the time
/// alone.
void burn(double seconds, Scene& scene);

}  // namespace sinew::app
