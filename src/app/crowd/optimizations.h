// The optimizations of a crowd.
#pragma once

#include <cstdint>

namespace sinew::app {

/// Which optimizations are on.
struct Optimizations {
  bool cull = true;           // leave out instances that are invisible, and whose shadows in the shadow maps are too
  bool levels = true;         // draw small instances with coarser meshes, where the models have levels
  bool update_rate = true;    // sample and skin distant instances in some frames only
  uint32_t unique_poses = 0;  // share about this many poses among all instances; 0: no sharing
};

}  // namespace sinew::app
