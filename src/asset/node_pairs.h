// Pairs the nodes of two hierarchies by their names: those of a file of clips, and those that the clips shall move.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"

namespace sinew::internal {

/// Parents come before children. A name that is empty, or node_ and a number, is none: readers make such names.
struct NamedNodes {
  std::vector<std::string_view> names;
  std::vector<int32_t> parents;    // -1: none
  std::vector<bool> is_joint;      // of a skin; empty, or none is: each may be one
  std::vector<bool> holds_meshes;  // and no joint, at or below the node; empty: none does
};

struct NodePairs {
  std::vector<int32_t> to_of_from;     // -1: no pair
  std::vector<std::string> ambiguous;  // a line for each name that pairs in several ways; its nodes have no pair
};

/// Pairs the nodes of `from` that are `wanted`, each with another node of `to`. Of nodes with one name, joints come
/// first, then those with the most equal names above them; then, below one parent, the order decides. Nodes without a
/// name pair in the order in which they are below a pair, if that has as many of them. Throws std::bad_alloc.
SINEW_API NodePairs pair_nodes(const NamedNodes& from, const std::vector<bool>& wanted, const NamedNodes& to);

}  // namespace sinew::internal
