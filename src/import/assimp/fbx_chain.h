// Assimp spreads an FBX node that has pivots over a chain of helper nodes, "Arm_$AssimpFbx$_PreRotation" above "Arm".
// Here such chains are found.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scene.h"

namespace sinew {

/// The nodes that stand for one node of the file, in the order in which they stand: each is the next one's parent.
struct FbxChain {
  std::vector<uint32_t> transform;  // helpers whose product is the node's own transform
  std::vector<uint32_t> geometric;  // helpers that move the node's mesh, not its children
  uint32_t node = 0;                // the one that bears the name
  std::vector<uint32_t> inverse;    // helpers that take `geometric` back for the children

  uint32_t front() const { return !transform.empty() ? transform.front() : geometric.front(); }
};

/// What a helper is for ("PreRotation"); empty for other nodes.
std::string_view helper_kind(std::string_view name);

/// Every chain that has a helper, by ascending node. No node is in two of them.
std::vector<FbxChain> find_fbx_chains(const Scene& scene);

}  // namespace sinew
