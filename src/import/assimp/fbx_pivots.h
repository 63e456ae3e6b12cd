// Merging of each chain of pivot helpers back into one node, as in the file.
#pragma once

#include "assimp/fbx_chain.h"
#include "assimp/fbx_convention.h"
#include "scene.h"

namespace sinew::internal {

/// Merges each chain into one node, and its channels into one with keys at the union of the helpers' key times. If the
/// node itself has a channel, that holds the whole transform and replaces the helpers' channels. If a chain has a
/// geometric transform, the mesh moves to a child node with that transform. `chains` are find_fbx_chains() of `scene`,
/// and are invalid afterwards.
void collapse_pivots(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention);

}  // namespace sinew::internal
