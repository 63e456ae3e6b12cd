// What files of Assimp's formats may say and is not kept: see lost_features.h.
#pragma once

#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// The rows of lost_features_of_assimp(), before those of materials.
enum LostOfAssimp : size_t { kLostAnimation, kLostPoses };

/// Adds what the bytes of a file say and Assimp does not read.
void find_lost(std::span<const uint8_t> file, const std::string& path, LostFeatures& lost);

}  // namespace sinew::internal
