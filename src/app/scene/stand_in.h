// A model of a person's size without a surface: for the scene that a window shows while its models are loaded.
#pragma once

#include "scene/scene.h"

namespace sinew::app {

Model make_stand_in();

/// Keeps one instance, and no soft shadows. Ground, stands and the place of the camera stay.
void clear_scene(Scene& scene);

}  // namespace sinew::app
