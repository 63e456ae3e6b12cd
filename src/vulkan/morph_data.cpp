#include "morph_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace sinew::vulkan::internal {
namespace {

static_assert(sizeof(shared::MorphBlock) == kElementBytes && sizeof(shared::MorphRef) == kElementBytes);

/// The vertices of one block that one target moves.
struct Moved {
  uint32_t block = 0, target = 0;
  uint64_t vertices = 0;  // a bit for each
  uint32_t first_difference = 0;
};

/// Ordered by block, then by target.
std::vector<Moved> moved_vertices(const Mesh& mesh) {
  std::vector<Moved> all;
  uint32_t difference = 0;
  for (uint32_t target = 0; target < mesh.target_count(); ++target) {
    for (const uint32_t vertex : mesh.targets[target].vertices) {
      const uint32_t block = vertex / shared::kMorphBlockVertices;
      if (all.empty() || all.back().target != target || all.back().block != block) {
        all.push_back({block, target, 0, difference});
      }
      all.back().vertices |= uint64_t{1} << vertex % shared::kMorphBlockVertices;
      ++difference;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Moved& a, const Moved& b) { return a.block < b.block; });
  return all;
}

uint32_t quad_of(const Moved& moved) { return moved.target / shared::kTargetsPerQuad; }

}  // namespace

MorphLayout lay_out_morphs(const Mesh& mesh, uint32_t first_element, bool tangents) {
  MorphLayout layout;
  layout.first_element = layout.end_element = first_element;
  if (mesh.targets.empty()) return layout;
  const uint32_t block_count = (mesh.vertex_count() + shared::kMorphBlockVertices - 1) / shared::kMorphBlockVertices;
  layout.blocks.resize(block_count);
  const uint32_t first_ref = first_element + block_count;
  const std::vector<Moved> all = moved_vertices(mesh);
  for (size_t i = 0; i < all.size(); ++i) {
    shared::MorphBlock& block = layout.blocks[all[i].block];
    if (i == 0 || all[i].block != all[i - 1].block) block.first_ref = first_ref + uint32_t(layout.refs.size());
    if (i == 0 || all[i].block != all[i - 1].block || quad_of(all[i]) != quad_of(all[i - 1])) {
      ++block.quads;
      layout.refs.resize(layout.refs.size() + shared::kTargetsPerQuad, {0, 0, 0, quad_of(all[i])});
    }
    shared::MorphRef* quad = &*layout.refs.end() - shared::kTargetsPerQuad;
    shared::MorphRef& ref = quad[all[i].target % shared::kTargetsPerQuad];
    ref.low_vertices = uint32_t(all[i].vertices), ref.high_vertices = uint32_t(all[i].vertices >> 32);
    ref.first_difference = all[i].first_difference;
  }
  layout.first_difference = first_ref + uint32_t(layout.refs.size());
  for (shared::MorphRef& ref : layout.refs) ref.first_difference += layout.first_difference;
  layout.difference_count = uint32_t(count_differences(mesh));
  layout.tangents_element = layout.first_difference + layout.difference_count;
  const uint32_t tangent_elements = (layout.difference_count + kWordsPerElement - 1) / kWordsPerElement;
  layout.end_element = layout.tangents_element + (tangents ? tangent_elements : 0);
  return layout;
}

uint64_t count_differences(const Mesh& mesh) {
  uint64_t count = 0;
  for (const MorphTarget& target : mesh.targets) count += target.vertices.size();
  return count;
}

uint32_t pack_difference(Vec3 d) {
  constexpr float kLargest = 2;
  const float size = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  uint32_t exponent = 0;
  float factor = 511 / kLargest;
  while (exponent < 3 && size * 4 * factor <= 511) ++exponent, factor *= 4;
  const auto number = [&](float value) {
    return uint32_t(int32_t(std::round(std::clamp(value * factor, -511.0f, 511.0f)))) & 0x3ff;
  };
  return number(d.x) | number(d.y) << 10 | number(d.z) << 20 | exponent << 30;
}

void write_morphs(const Mesh& mesh, const MorphLayout& layout, std::span<uint32_t> words) {
  const auto put = [&](const auto& elements) {
    std::memcpy(words.data(), elements.data(), elements.size() * kElementBytes);
    words = words.subspan(elements.size() * kWordsPerElement);
  };
  put(layout.blocks);
  put(layout.refs);
  std::span<uint32_t> tangents = words.subspan(size_t{layout.difference_count} * kWordsPerElement);
  size_t at = 0;
  for (const MorphTarget& target : mesh.targets) {
    for (size_t i = 0; i < target.vertices.size(); ++i, ++at) {
      const Vec3 position = target.positions[i];
      uint32_t* element = &words[at * kWordsPerElement];
      element[0] = std::bit_cast<uint32_t>(position.x);
      element[1] = std::bit_cast<uint32_t>(position.y);
      element[2] = std::bit_cast<uint32_t>(position.z);
      element[3] = target.normals.empty() ? 0 : pack_difference(target.normals[i]);
      if (!tangents.empty()) tangents[at] = target.tangents.empty() ? 0 : pack_difference(target.tangents[i]);
    }
  }
  for (; at < tangents.size(); ++at) tangents[at] = 0;
}

}  // namespace sinew::vulkan::internal
