// The poses that the host writes in a frame, found by instance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "draw_list.h"

namespace sinew::vulkan::internal {

/// A posed mesh of this frame that the host poses.
struct HostPosedMesh {
  uint32_t instance = 0;
  bool previous = false;  // the pose of the frame before
  const PlacedRange* placed = nullptr;
  uint32_t index = 0;  // in the range
};

class HostPoses {
 public:
  /// Finds those of the groups that are updated in this frame. Keeps its memory.
  void find(const crowd::Plan& plan, std::span<const PlacedRange> placed) {
    meshes_.clear();
    for (const PlacedRange& range : placed) {
      const crowd::PosedBatch& batch = plan.batches[range.batch];
      if (!batch.host_posed || batch.is_worn() || !plan.groups[range.group].updated) continue;
      for (uint32_t i = 0; i < range.range->instance_count; ++i)
        meshes_.push_back({plan.posed_meshes[range.first_mesh + i].instance, batch.previous_poses, &range, i});
    }
    std::sort(meshes_.begin(), meshes_.end(), before);
  }

  const HostPosedMesh* of(uint32_t instance, bool previous) const {
    const HostPosedMesh wanted{instance, previous};
    const auto found = std::lower_bound(meshes_.begin(), meshes_.end(), wanted, before);
    return found != meshes_.end() && !before(wanted, *found) ? &*found : nullptr;
  }

 private:
  static bool before(const HostPosedMesh& a, const HostPosedMesh& b) {
    return a.instance != b.instance ? a.instance < b.instance : a.previous < b.previous;
  }
  std::vector<HostPosedMesh> meshes_;
};

}  // namespace sinew::vulkan::internal
