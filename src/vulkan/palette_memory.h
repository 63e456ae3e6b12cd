// What mapped palettes hold where the host does not write them.
#pragma once

#include <cstdint>
#include <optional>

#include "frame_plan.h"
#include "sinew/asset/parallel.h"

namespace sinew::vulkan::internal {

/// Writes identities, and morph weights of 0: the bind pose.
void fill_with_bind_pose(const PlacedSlice& slice, const ParallelFor& parallel_for);

/// Sets all bits: not a number, or as compact matrices a place far away.
void poison(const PlacedSlice& slice);

/// Instances in a row whose palette or weights still hold what poison() wrote.
struct Unwritten {
  uint32_t first_instance = 0, instance_count = 0;  // in the batch
  bool weights = false;                             // of the first: only its weights
};

/// The first of them, if there are any; none of borrowed palettes. Looks at the first and the last element of each.
std::optional<Unwritten> find_unwritten(const PlacedSlice& slice);

}  // namespace sinew::vulkan::internal
