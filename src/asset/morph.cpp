#include "morph.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew::internal {

MorphTarget reindexed(const MorphTarget& target, std::span<const uint32_t> new_index_of) {
  std::vector<std::pair<uint32_t, size_t>> order;  // new index of a vertex, and its place in the target
  for (size_t i = 0; i < target.vertices.size(); ++i) {
    const uint32_t vertex = new_index_of[target.vertices[i]];
    if (vertex != kRemovedVertex) order.emplace_back(vertex, i);
  }
  std::sort(order.begin(), order.end());
  const auto same_vertex = [](const auto& a, const auto& b) { return a.first == b.first; };
  order.erase(std::unique(order.begin(), order.end(), same_vertex), order.end());

  MorphTarget result;
  result.name = target.name;
  result.rest_weight = target.rest_weight;
  for (const auto& [vertex, place] : order) {
    result.vertices.push_back(vertex);
    result.positions.push_back(target.positions[place]);
    if (!target.normals.empty()) result.normals.push_back(target.normals[place]);
    if (!target.tangents.empty()) result.tangents.push_back(target.tangents[place]);
  }
  return result;
}

}  // namespace sinew::internal
