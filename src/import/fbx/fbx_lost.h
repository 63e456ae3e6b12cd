// What FBX files say and this reader does not keep.
#pragma once

#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// The rows of lost_features_of_fbx(), in its order, before those of materials.
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
  kVertexColors,
  kLayeredTexture,
  kDetailGroup,
  kCyclicModel,
};

inline void add(LostFeatures& lost, FbxLost feature, std::string_view name = {}) { lost.add(size_t(feature), name); }

}  // namespace sinew::internal
