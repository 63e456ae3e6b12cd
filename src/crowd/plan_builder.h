// From visible instances to the lists of a plan, by one counting sort: by update group, then by mesh, then by instance.
// Each instance that keeps no posed mesh has one of its own, which is written to its place at once. Where poses are
// shared, pose_owners.h finds the posed meshes instead.
//
// Every step over instances runs on the host's threads: count, add up the counts, write. The result does not depend on
// the number of threads.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "pose_owners.h"
#include "pose_sharing.h"
#include "previous_poses.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"
#include "sinew/crowd/plan.h"
#include "visible_instances.h"
#include "worn_meshes.h"

namespace sinew::crowd::internal {

/// What a plan is built from. `plan.groups` is complete but for its batches.
struct PlanSource {
  const Instances& instances;
  std::span<const Task> tasks;
  std::span<const PoseBuckets> buckets;  // of each model, or none
  const Plan& previous;
  const PreviousPoses* previous_poses = nullptr;  // null: they are not asked for
  bool skin_level_changes = true;                 // false: an instance that changes its level has no previous pose
};

class PlanBuilder {
 public:
  explicit PlanBuilder(std::span<const ModelInfo> models) { set_models(models); }
  /// Replaces the models, between two plans. One that is gone has no levels.
  void set_models(std::span<const ModelInfo> models);

  /// The first mesh of a model: the levels of all models count in turn.
  uint32_t first_mesh_of(uint32_t model) const { return first_mesh_of_[model]; }

  /// The levels of all models.
  uint32_t mesh_count() const { return uint32_t(models_.size()); }

  /// Begins a plan with `group_count` update groups. `source` must outlive the plan.
  void begin(const PlanSource& source, size_t group_count);

  /// Counts the visible instances of a task, which are complete. Calls for different tasks may run in parallel.
  void count_task(uint32_t task);

  /// Replaces the lists and counters of `plan`. All tasks are counted.
  void build(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan);

  /// The last plan has posed meshes of previous poses.
  bool has_level_changes() const { return !changes_.empty(); }

 private:
  /// The posed meshes of one batch of the previous plan, which are repeated.
  struct Repeated {
    uint32_t batch = 0;
    uint32_t first_previous = 0;  // in Plan::posed_meshes of the previous plan
    uint32_t first_instance = 0;  // in Plan::instances, where no poses are shared
  };
  /// A pose of the previous plan that is skinned again with another level of the model.
  struct LevelChange {
    bool host_posed = false;
    uint32_t mesh = 0;
    uint32_t previous_mesh = 0;  // in Plan::posed_meshes of the previous plan
    friend auto operator<=>(const LevelChange&, const LevelChange&) = default;
  };

  uint32_t mesh_of(const PosedBatch& batch) const { return first_mesh_of_[batch.model] + batch.level; }
  uint32_t previous_mesh_of(uint32_t instance) const { return mesh_of(previous_poses_->batch_of(instance)); }
  uint32_t key_of(const VisibleInstance& visible) const { return internal::key_of(visible, mesh_count()); }
  bool is_host_posed(size_t key) const { return key / models_.size() == 1; }
  bool has_no_previous_pose(uint32_t instance, uint32_t mesh) const;
  LevelChange change_of(uint32_t instance, uint32_t mesh, uint32_t previous_mesh) const;
  PreviousPose previous_pose_of(uint32_t instance, uint32_t mesh) const;
  void find_change(uint32_t task, const VisibleInstance& visible);
  void merge_changes();
  uint32_t add_up_counts();
  void add_batches(const PlanSource& source, Plan& plan);
  void repeat_group(const PlanSource& source, const UpdateGroup& group, Plan& plan);
  void add_new(uint32_t key, uint32_t group, Plan& plan);
  void add_batch(uint32_t mesh, PosedBatch batch, Plan& plan);
  void add_changes(Plan& plan);
  void write_own(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan);
  void write_task(const PlanSource& source, uint32_t task, Plan& plan);
  void write_shared(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan);
  void write_instance(uint32_t instance, uint32_t mesh, uint32_t place, Plan& plan) const;
  void resize_instances(uint32_t count, Plan& plan) const;
  void copy_repeated(const PlanSource& source, const Repeated& repeated, Plan& plan) const;
  void list_repeated(const Repeated& repeated, Plan& plan) const;
  void write_changes(Plan& plan) const;
  void count(const PlanSource& source, Plan& plan) const;

  std::span<const Task> tasks_;
  const PreviousPoses* previous_poses_ = nullptr;
  bool skin_level_changes_ = true;
  std::vector<uint32_t> models_;         // of each mesh: of each level of all models in turn
  std::vector<bool> own_palette_;        // of each mesh
  std::vector<uint32_t> first_mesh_of_;  // of each model
  uint32_t max_level_ = 0;
  PoseOwners owners_;  // where poses are shared
  size_t key_count_ = 0;
  std::vector<uint32_t> task_counts_;   // [task][key]: visible instances, then where the next one goes in their order
  std::vector<uint32_t> first_of_key_;  // in the order of the visible instances that keep no posed mesh; then the end
  std::vector<uint32_t> mesh_shifts_;   // of each key: index in Plan::posed_meshes minus place in that order (where
                                        // poses are shared, minus number of the new posed mesh); may wrap around
  std::vector<uint32_t> instance_shifts_;  // the same for Plan::instances; not used where poses are shared
  std::vector<uint8_t> kept_;              // of the previous plan's posed meshes: kept, and visible now
  std::vector<Repeated> repeated_;
  uint32_t next_mesh_ = 0, next_instance_ = 0;          // while batches are added
  std::vector<std::vector<LevelChange>> task_changes_;  // of each task
  std::vector<LevelChange> changes_;                    // of all tasks: ordered, each once
  uint32_t first_change_ = 0;                           // the posed mesh of the first of changes_
  uint32_t change_instance_ = 0;                        // the instances before it
  WornMeshes worn_;
};

}  // namespace sinew::crowd::internal
