// Each chain of helpers becomes one node again, as the file has it.
#pragma once

#include "assimp/fbx_chain.h"
#include "assimp/fbx_convention.h"
#include "scene.h"

namespace sinew {

/// Merges the helpers of each chain into one node, keys at the union of their times. A channel of the node itself holds
/// the whole transform, and replaces the helpers. The mesh of a node with a geometric transform gets a node of its own
/// below, with that transform.
void collapse_pivots(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention);

}  // namespace sinew
