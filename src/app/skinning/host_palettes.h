// Palettes in the program's own memory, where the device does not read them as the evaluators write them.
#pragma once

#include <iterator>
#include <span>
#include <vector>

#include "skinning/page_backend.h"

namespace sinew::app {

/// Of each update group, kept until the group is updated again.
class HostPalettes {
 public:
  explicit HostPalettes(uint32_t group_count) : groups_(group_count) {}

  /// Sets the palettes of the group's ranges. Allocates only where they are more than ever before.
  void place(uint32_t group, std::span<InstanceRange> ranges) {
    const auto entries = [](const InstanceRange& range) { return size_t(range.instance_count) * range.palette_stride; };
    size_t all = 0;
    for (const InstanceRange& range : ranges) all += entries(range);
    groups_[group].resize(all / std::size(Block().matrices));  // strides are multiples of a block
    Matrix3x4* next = all == 0 ? nullptr : groups_[group].front().matrices;
    for (InstanceRange& range : ranges) {
      set_palettes({next, entries(range)}, range);
      next += entries(range);
    }
  }

 private:
  /// The smallest number of matrices that fills whole cache lines.
  struct alignas(64) Block {
    Matrix3x4 matrices[4];
  };
  std::vector<std::vector<Block>> groups_;
};

}  // namespace sinew::app
