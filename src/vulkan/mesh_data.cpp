#include "mesh_data.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "shared/skinning.h"
#include "sinew/skinned_vertex.h"

namespace sinew::vulkan {
namespace {

constexpr uint32_t kWeightUnits = 65535;
constexpr uint32_t kWordsPerElement = 4;
static_assert(shared::kInfluencesPerGroup == kWordsPerElement);

void write_bound_vertex(const Mesh& mesh, uint32_t vertex, uint32_t* words) {
  const Vec3 position = mesh.positions[vertex];
  words[0] = std::bit_cast<uint32_t>(position.x);
  words[1] = std::bit_cast<uint32_t>(position.y);
  words[2] = std::bit_cast<uint32_t>(position.z);
  words[3] = encode_normal(normalize(mesh.normals[vertex]));
}

}  // namespace

uint32_t influence_groups(const Mesh& mesh) {
  return (max_influences(mesh) + shared::kInfluencesPerGroup - 1) / shared::kInfluencesPerGroup;
}

uint64_t mesh_data_bytes(const Mesh& mesh) {
  return uint64_t{mesh.vertex_count()} * (1 + influence_groups(mesh)) * kWordsPerElement * sizeof(uint32_t);
}

void write_mesh_data(const Mesh& mesh, std::span<uint32_t> words) {
  assert(words.size_bytes() == mesh_data_bytes(mesh));
  const uint32_t vertices = mesh.vertex_count(), slots = influence_groups(mesh) * shared::kInfluencesPerGroup;
  std::vector<uint32_t> units;
  for (uint32_t v = 0; v < vertices; ++v) {
    write_bound_vertex(mesh, v, &words[size_t{v} * kWordsPerElement]);
    const auto influences = mesh.influences_of(v);
    quantize_weights(influences, units);
    for (uint32_t i = 0; i < slots; ++i) {
      const size_t element = size_t{1 + i / shared::kInfluencesPerGroup} * vertices + v;
      const bool ends = i >= units.size() || units[i] == 0;
      words[element * kWordsPerElement + i % shared::kInfluencesPerGroup] =
          ends ? 0 : influences[i].entry | units[i] << 16;
    }
  }
}

void quantize_weights(std::span<const Influence> influences, std::vector<uint32_t>& units) {
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  const auto exact = [&](size_t i) { return influences[i].weight / sum * kWeightUnits; };

  units.resize(influences.size());
  uint32_t given = 0;
  for (size_t i = 0; i < units.size(); ++i) given += units[i] = uint32_t(exact(i));
  std::vector<std::pair<double, size_t>> by_remainder(units.size());  // negated: the largest come first
  for (size_t i = 0; i < units.size(); ++i) by_remainder[i] = {units[i] - exact(i), i};
  std::sort(by_remainder.begin(), by_remainder.end());
  for (size_t i = 0; given < kWeightUnits; ++given, ++i) ++units[by_remainder[i].second];
}

}  // namespace sinew::vulkan
