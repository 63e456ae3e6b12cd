// Detection of Assimp's helper nodes for FBX pivots. Assimp turns an FBX node with pivots into a chain of nodes, such
// as "Arm_$AssimpFbx$_PreRotation" above "Arm".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// The scene's nodes for one node of the file, from the top down: each is the parent of the next.
struct FbxChain {
  std::vector<uint32_t> transform;  // helpers whose product is the node's transform
  std::vector<uint32_t> geometric;  // helpers that transform the node's mesh, not its children
  uint32_t node = 0;                // the node with the name from the file
  std::vector<uint32_t> inverse;    // helpers that undo `geometric` for the children

  /// The topmost node. The chain must have a helper.
  uint32_t front() const { return !transform.empty() ? transform.front() : geometric.front(); }
};

/// The kind of a helper, from its name ("PreRotation"). Empty for other nodes. The view is a part of `name`.
std::string_view helper_kind(std::string_view name);

/// All chains with at least one helper, by ascending FbxChain::node. Each node is in at most one chain.
std::vector<FbxChain> find_fbx_chains(const Scene& scene);

}  // namespace sinew::internal
