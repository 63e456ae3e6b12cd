// What files of Assimp's formats may say and is not kept: see lost_features.h.
#pragma once

#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// The rows of lost_features_of_assimp().
enum LostOfAssimp : size_t {
  kLostAnimation,
  kLostPoses,
  kLostTextureTransform,
  kLostBumpMap,
  kLostOtherImagesAssimp,
  kLostOpacityImageAssimp,
  kLostOpacityAssimp,
};

/// No format that Assimp reads here is known to have a third set of texture coordinates, so it has no row of its own.
inline constexpr LostOfMaterials kLostOfAssimpMaterials = {.texture_set = kLostOtherImagesAssimp,
                                                           .bump_map = kLostBumpMap,
                                                           .other_images = kLostOtherImagesAssimp,
                                                           .opacity_image = kLostOpacityImageAssimp,
                                                           .opacity = kLostOpacityAssimp};

/// Adds what the bytes of a file say and Assimp does not read.
void find_lost(std::span<const uint8_t> file, const std::string& path, LostFeatures& lost);

}  // namespace sinew::internal
