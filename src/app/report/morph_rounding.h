// How far normals are off because the device stores those of morph targets rounded.
#pragma once

#include <span>
#include <vector>

#include "sinew/asset/mesh.h"

namespace sinew::app {

/// The largest angle, in degrees, by which rounding may turn the normal of each vertex: differences of normals are
/// three numbers of 10 bits and a scale, see shaders/shared/skinning.h. `weights`: one per target of the mesh. Empty if
/// no target has normals.
std::vector<double> morph_rounding_degrees(const Mesh& mesh, std::span<const float> weights);

}  // namespace sinew::app
