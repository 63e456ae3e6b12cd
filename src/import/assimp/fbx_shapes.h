// Morph targets of FBX files: what Assimp does not read of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// Sets the rest weights of morph targets from the channels of the file's blend shapes, which are matched by name.
/// Warns of weights that have no target, or several different values for one. Assimp takes 1 for all rest weights.
void read_fbx_rest_weights(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings);

/// Warns of blend shapes without normals that are no morph targets: Assimp leaves them out without a message.
void warn_of_lost_shapes(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings);

}  // namespace sinew::internal
