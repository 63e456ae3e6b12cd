// Morph targets whose mesh gets another order of vertices.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// The value of a new index that means: the vertex is removed.
inline constexpr uint32_t kRemovedVertex = ~0u;

/// The target of a mesh whose vertex v becomes vertex new_index_of[v]. Of several vertices that become one, the first
/// counts.
SINEW_API MorphTarget reindexed(const MorphTarget& target, std::span<const uint32_t> new_index_of);

}  // namespace sinew::internal
