// Palettes in the program's own memory, where the device does not read them as the evaluators write them.
#pragma once

#include <span>
#include <vector>

#include "skinning/skinning_strategy.h"

namespace sinew::app {

/// Of each update group, kept until the group is updated again.
class HostPalettes {
 public:
  explicit HostPalettes(uint32_t group_count) : groups_(group_count) {}

  /// Sets the palettes of the group's ranges. Allocates only where they are more than ever before.
  void place(uint32_t group, std::span<SkinnedRange> ranges);

 private:
  /// The smallest number of matrices that fills whole cache lines.
  struct alignas(64) Block {
    Matrix3x4 matrices[4];
  };
  std::vector<std::vector<Block>> groups_;
};

}  // namespace sinew::app
