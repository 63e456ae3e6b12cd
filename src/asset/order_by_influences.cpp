#include "sinew/asset/mesh.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "error.h"
#include "exceptions.h"
#include "kernel_entries.h"
#include "morph.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kWindow = 1024;

/// By what vertices are sorted: first by what decides their kernel.
struct SortKeys {
  explicit SortKeys(const Mesh& mesh) : entries(mesh), morphs(mesh.vertex_count()) {
    for (const MorphTarget& target : mesh.targets) {
      for (const uint32_t v : target.vertices) morphs[v] = 1;
    }
  }
  KernelEntries entries;
  std::vector<uint8_t> morphs;  // 1: a morph target moves the vertex
};

/// Sorts the vertices of one window. `order` holds their old indices.
void order_window(const SortKeys& keys, std::span<uint32_t> order, bool descending) {
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto of_a = keys.entries.of(a), of_b = keys.entries.of(b);
    if (of_a.size() != of_b.size()) return descending ? of_a.size() > of_b.size() : of_a.size() < of_b.size();
    if (keys.morphs[a] != keys.morphs[b]) return keys.morphs[a] < keys.morphs[b];
    const auto [in_a, in_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin());
    return in_a != of_a.end() ? *in_a < *in_b : a < b;
  });
}

/// `values` in the new order; an empty vector stays empty.
template <class T>
std::vector<T> permuted(const std::vector<T>& values, std::span<const uint32_t> order) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const uint32_t v : order) {
    if (!values.empty()) result.push_back(values[v]);
  }
  return result;
}

void permute_influences(const Mesh& mesh, std::span<const uint32_t> order, Mesh& result) {
  result.first_influence.push_back(0);
  for (const uint32_t v : order) {
    const auto own = mesh.influences_of(v);
    result.influences.insert(result.influences.end(), own.begin(), own.end());
    result.first_influence.push_back(uint32_t(result.influences.size()));
  }
}

/// The mesh in the new order, without parts: `order` holds the old index of each new vertex.
Mesh permuted(const Mesh& mesh, std::span<const uint32_t> order) {
  Mesh result;
  result.positions = permuted(mesh.positions, order);
  result.normals = permuted(mesh.normals, order);
  result.tangents = permuted(mesh.tangents, order);
  result.uvs = permuted(mesh.uvs, order);
  result.second_uvs = permuted(mesh.second_uvs, order);
  result.colors = permuted(mesh.colors, order);
  result.blend = mesh.blend;
  permute_influences(mesh, order, result);
  std::vector<uint32_t> new_index_of(order.size());
  for (uint32_t v = 0; v < order.size(); ++v) new_index_of[order[v]] = v;
  for (const uint32_t index : mesh.indices) result.indices.push_back(new_index_of[index]);
  for (const MorphTarget& target : mesh.targets) result.targets.push_back(reindexed(target, new_index_of));
  return result;
}

}  // namespace

Status order_by_influences(Mesh& mesh) SINEW_TRY {
  std::vector<uint32_t> order(mesh.vertex_count());
  std::iota(order.begin(), order.end(), 0u);
  const SortKeys keys(mesh);
  bool descending = false;
  for (const MeshPart& part : mesh.parts) {
    for (uint32_t v = 0; v < part.vertex_count; v += kWindow, descending = !descending) {
      const auto window = std::span(order).subspan(part.first_vertex + v, std::min(kWindow, part.vertex_count - v));
      order_window(keys, window, descending);
    }
  }
  Mesh ordered = permuted(mesh, order);
  ordered.parts.swap(mesh.parts);
  mesh = std::move(ordered);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
