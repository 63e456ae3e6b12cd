// The palette entries of vertices in the order in which the skinning kernel loads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// Sorts influences as the kernel loads them: a weighted mean by ascending entry, so that neighbors load the same entry
/// at the same time. Dual quaternions need the heaviest first, which they are. `entry_of` names an element's entry.
template <class Element, class EntryOf>
void sort_for_kernel(Blend blend, std::span<Element> influences, EntryOf entry_of) {
  if (blend == Blend::kDualQuaternion) return;
  std::ranges::sort(influences, [&](const Element& a, const Element& b) { return entry_of(a) < entry_of(b); });
}

/// Of all vertices of a mesh. The mesh must outlive it. Throws std::bad_alloc.
class KernelEntries {
 public:
  explicit KernelEntries(const Mesh& mesh) : first_influence_(mesh.first_influence) {
    entries_.reserve(mesh.influences.size());
    for (const Influence& influence : mesh.influences) entries_.push_back(influence.entry);
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const size_t first = first_influence_[v], count = first_influence_[v + 1] - first;
      sort_for_kernel(mesh.blend, std::span(entries_).subspan(first, count), [](uint16_t entry) { return entry; });
    }
  }

  std::span<const uint16_t> of(uint32_t vertex) const {
    const size_t first = first_influence_[vertex];
    return std::span(entries_).subspan(first, first_influence_[vertex + 1] - first);
  }

 private:
  std::span<const uint32_t> first_influence_;
  std::vector<uint16_t> entries_;
};

}  // namespace sinew::internal
