// Morph targets of FBX files: what Assimp does not read of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// Gives morph targets the names and the order of the file's blend shapes, and weight tracks the new indices. Assimp
/// keeps both up to 5.2; later it names a target CHANNEL.SHAPE, and its order is any.
void restore_fbx_targets(std::span<const uint8_t> file, Scene& scene);

/// Sets the rest weights of morph targets from the channels of the file's blend shapes, which are matched by name.
/// Warns of weights that have no target, or several different values for one. Assimp takes 1 for all rest weights.
void read_fbx_rest_weights(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings);

/// Warns of blend shapes without normals that are no morph targets: Assimp leaves them out without a message.
void warn_of_lost_shapes(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings);

}  // namespace sinew::internal
