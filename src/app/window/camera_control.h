// How the mouse and the keys of a window control a camera.
#pragma once

#include "gpu/host.h"
#include "scene/camera.h"

namespace sinew::app {

/// Turns, pans and zooms the camera. `height` of the window in pixels.
void move_camera(const Input& input, uint32_t height, Orbit& orbit);

/// Moves the target of the camera: W and S along the view, A and D sideways, Q and E down and up.
void fly_camera(const Input& input, double seconds, Orbit& orbit);

}  // namespace sinew::app
