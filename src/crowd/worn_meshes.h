// What instances wear, appended to a plan of bodies: behind the batches of a group one for each wearable that is worn
// with one of them. Update groups, shared and previous poses are those of the bodies.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// Finds the posed mesh of a wearable on a body. Keeps its memory.
class WornIndex {
 public:
  void build(const Plan& plan);
  /// `body`: in Plan::posed_meshes. kNoPosedMesh: it does not wear it.
  uint32_t posed_mesh_of(uint32_t body, uint32_t wearable) const;

 private:
  std::vector<uint64_t> worn_;    // of each body: the bits of what it wears; empty: nothing is worn
  std::vector<uint32_t> first_;   // of each body: in `meshes_`
  std::vector<uint32_t> meshes_;  // by body, then by wearable
};

class WornMeshes {
 public:
  /// Before anything else, and where models change, between two plans. Changes nothing if memory runs out.
  void set_models(std::span<const ModelInfo> models);

  /// Begins a plan. `previous` is the one before, and must outlive it.
  void begin(const Plan& previous, bool wants_previous_poses);

  /// Appends batches, posed meshes and instances to a plan that has all bodies. In groups that are updated: what is
  /// worn now; with a shared pose, by any instance that is drawn with it. In other groups: what was worn in their last
  /// update; there each body has one instance.
  void append(const Instances& instances, Plan& plan);

 private:
  /// Of an instance in Plan::instances that is drawn with a wearable.
  struct Wearer {
    uint32_t place = 0;  // of its body in Plan::instances
    uint32_t wearable = 0;
  };

  uint64_t drawn_wearables(const PosedBatch& batch) const { return drawn_[first_drawn_[batch.model] + batch.level]; }
  bool find_worn(const Instances& instances, const Plan& plan);
  bool is_repeated(const Plan& plan) const;
  void append_group(const Instances& instances, uint32_t group, Plan& plan);
  void append_new(const Instances& instances, uint32_t bodies, Plan& plan);
  void repeat(const UpdateGroup& before, const UpdateGroup& now, Plan& plan);
  void add_batch(const Instances& instances, PosedBatch batch, std::span<const uint32_t> wearers, Plan& plan);
  void add_mesh(const Instances& instances, uint32_t body, const PosedBatch& batch, Plan& plan);
  void write_previous_poses(Plan& plan);
  PreviousPose previous_pose_of(const Wearer& wearer, const Plan& plan) const;

  std::vector<uint64_t> drawn_;        // of the levels of all models: the bits of wearables with vertices
  std::vector<uint32_t> first_drawn_;  // of each model
  bool has_wearables_ = false;
  const Plan* previous_ = nullptr;
  bool wants_previous_poses_ = false;
  WornIndex before_, now_;          // with previous poses
  std::vector<uint64_t> worn_;      // of each body: by any of its instances; of groups that are updated
  std::vector<PosedBatch> bodies_;  // the batches of the plan before anything is appended
  std::vector<Wearer> wearers_;     // of Plan::instances behind the bodies
  std::array<std::vector<uint32_t>, kMaxWearables> bodies_with_;  // of one batch, by wearable: counted in the batch
};

}  // namespace sinew::crowd::internal
