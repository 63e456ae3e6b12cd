// Labels in a picture: the scale of the grid, names of joints, a line of text. Between Interface::begin() and end().
#pragma once

#include "scene/camera.h"
#include "view/viewer.h"

namespace sinew::app {

/// The lengths along the axes of the grid; those that would overlap are left out. None where models of several scales
/// share the grid.
void label_grid(const View& view, std::span<const Model> models);

/// The name of every joint that moves vertices, and of the selected and the hovered one whatever it moves.
void label_joints(const View& view, const Viewer& viewer);

}  // namespace sinew::app
