// The poses that instances were drawn with in the frame before, for motion vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/asset/parallel.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// Finds the posed mesh of each instance drawn in the previous plan. With update rates some posed meshes of that plan
/// have no instances; these are not found.
class PreviousPoses {
 public:
  /// Begins a frame. `previous` must outlive it.
  void begin(uint64_t frame, uint32_t instance_count, const Plan& previous, const ParallelFor& parallel_for);

  /// Index in Plan::posed_meshes of the previous plan; kNoPosedMesh if the instance was not drawn as this model.
  uint32_t posed_mesh_of(uint32_t instance, uint32_t model) const {
    return is_drawn_as(instance, model) ? drawn_[instance].mesh : kNoPosedMesh;
  }
  /// The batch of that posed mesh. Only for an instance that has one.
  const PosedBatch& batch_of(uint32_t instance) const { return previous_->batches[drawn_[instance].batch]; }

  /// An instance that is new has none. Calls for different instances may run in parallel.
  void forget(uint32_t instance) { drawn_[instance].frame = 0; }

  const Plan& plan() const { return *previous_; }

 private:
  /// What an instance was drawn with. Valid if `frame` is the current one.
  struct Drawn {
    uint32_t mesh = 0, batch = 0;  // in the previous plan
    uint64_t frame = 0;
  };
  bool is_drawn_as(uint32_t instance, uint32_t model) const {
    return drawn_[instance].frame == frame_ && batch_of(instance).model == model;
  }

  std::vector<Drawn> drawn_;  // of each instance
  const Plan* previous_ = nullptr;
  uint64_t frame_ = 0;
};

}  // namespace sinew::crowd::internal
