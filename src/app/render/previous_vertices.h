// Where the vertices of posed meshes were in the frame before, for motion vectors.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/plan.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// The addresses of the vertices of all posed meshes, in the plan of this frame and of the one before. The skinning
/// keeps the vertices of the frame before: crowd::Options::previous_poses.
class PreviousVertices {
 public:
  /// Begins the frame that was updated. Call it for every plan that is drawn.
  void begin(const Device& device, const Skinning& skinning, const ParallelFor& parallel_for);

  /// The address of the previous vertices of an instance drawn, in the order of its mesh; 0: it was not drawn in the
  /// frame before.
  VkDeviceAddress address_of(const crowd::PreviousPose& pose) const {
    if (pose.posed_mesh == crowd::kNoPosedMesh) return 0;
    return (pose.in_this_plan ? now_ : before_)[pose.posed_mesh];
  }

 private:
  std::vector<VkDeviceAddress> now_, before_;  // of each posed mesh
};

}  // namespace sinew::app
