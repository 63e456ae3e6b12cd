// What FBX files say and this reader does not keep.
#pragma once

#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// The rows of lost_features_of_fbx(), in its order.
enum class FbxLost : uint8_t {
  kCurvedSurface,
  kSeveralSkins,
  kAdditiveCluster,
  kClusterIndex,
  kMixedSkinning,
  kBlendedSkinning,
  kVertexCache,
  kConstraint,
  kAnimatedPivot,
  kAnimatedVisibility,
  kAnimatedMaterial,
  kSphericalOrder,
  kTextureTransform,
  kVertexColors,
  kLayeredTexture,
  kTextureSet,
  kBumpMap,
  kOtherImage,
  kOpacityImage,
  kOpacity,
  kDetailGroup,
  kCyclicModel,
};

inline constexpr LostOfMaterials kLostOfFbxMaterials = {.texture_set = size_t(FbxLost::kTextureSet),
                                                        .bump_map = size_t(FbxLost::kBumpMap),
                                                        .other_images = size_t(FbxLost::kOtherImage),
                                                        .opacity_image = size_t(FbxLost::kOpacityImage),
                                                        .opacity = size_t(FbxLost::kOpacity)};

inline void add(LostFeatures& lost, FbxLost feature, std::string_view name = {}) { lost.add(size_t(feature), name); }

}  // namespace sinew::internal
