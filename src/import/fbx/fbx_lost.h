// What FBX files say and this reader does not keep.
#pragma once

#include "lost_features.h"
#include "phong_material.h"

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

inline constexpr LostOfMaterials kLostOfFbxMaterials = {size_t(FbxLost::kTextureSet), size_t(FbxLost::kBumpMap),
                                                        size_t(FbxLost::kOtherImage), size_t(FbxLost::kOpacityImage),
                                                        size_t(FbxLost::kOpacity)};

inline void add(LostFeatures& lost, FbxLost feature, std::string_view name = {}) { lost.add(size_t(feature), name); }

}  // namespace sinew::internal
