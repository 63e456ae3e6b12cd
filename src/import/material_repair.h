// Materials that a file makes invalid.
#pragma once

#include <string>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// Replaces factors that are not finite or out of range by their defaults, and leaves out textures whose transform is
/// not finite, each with a warning: the character has a valid surface.
void repair_materials(Scene& scene, std::vector<std::string>& warnings);

/// Textures of materials whose mesh parts have no second uvs read the first ones.
void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials);

}  // namespace sinew::internal
