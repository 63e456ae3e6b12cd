// From visible instances to the lists of a plan: sorts them by update group and mesh, and finds the posed meshes.
//
// Every step over instances runs in pieces on the host's threads: count, add up the counts, write. The result does not
// depend on the pieces.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "pose_sharing.h"
#include "previous_poses.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/character.h"
#include "sinew/crowd/plan.h"
#include "visible_instances.h"

namespace sinew::crowd::internal {

/// One level of one character.
struct MeshLevel {
  uint32_t character = 0, level = 0;
  bool own_palette = false;
};

/// What a plan is built from. `plan.groups` is complete but for its batches.
struct PlanSource {
  std::span<const Task> tasks;
  std::span<const PoseBuckets> buckets;  // of each character, or none
  const Plan& previous;
  const PreviousPoses* previous_poses = nullptr;  // null: they are not asked for
  bool skin_level_changes = true;                 // false: an instance that changes its level has no previous pose
};

class PlanBuilder {
 public:
  explicit PlanBuilder(std::span<const CharacterInfo> characters);

  /// Begins a plan with `group_count` update groups. `source` must outlive the plan.
  void begin(const PlanSource& source, size_t group_count);

  /// Counts the visible instances of a task, which are complete. Calls for different tasks may run in parallel.
  void count_task(uint32_t task);

  /// Replaces the lists and counters of `plan`. All tasks are counted.
  void build(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan);

  /// The last plan has posed meshes of previous poses.
  bool has_level_changes() const { return !changes_.empty(); }

 private:
  /// A visible instance in the order of the plan. What the passes over all of them need is here, in one place.
  struct SortedInstance {
    const VisibleInstance* visible = nullptr;
    uint32_t instance = 0, key = 0;
    uint32_t bucket = kNoBucket;  // counted over the buckets of all meshes
  };
  static constexpr uint32_t kNoKey = UINT32_MAX;
  /// Posed meshes of one batch that are written together: new ones, or those of the previous plan.
  struct Part {
    uint32_t batch = 0;
    uint32_t key = 0;             // of the visible instances in sorted_; kNoKey: of the previous plan
    uint32_t first_previous = 0;  // in Plan::posed_meshes of the previous plan
  };
  /// A pose of the previous plan that is skinned again with another level of the character.
  struct LevelChange {
    bool host_posed = false;
    uint32_t mesh = 0;           // in meshes_
    uint32_t previous_mesh = 0;  // in Plan::posed_meshes of the previous plan
    friend auto operator<=>(const LevelChange&, const LevelChange&) = default;
  };

  size_t key_of(const VisibleInstance& visible) const;
  uint32_t mesh_of(const VisibleInstance& visible) const { return first_mesh_of_[visible.character] + visible.level; }
  bool loses_pose(uint32_t instance, uint32_t mesh) const;
  LevelChange change_of(uint32_t instance, uint32_t mesh, uint32_t previous_mesh) const;
  PreviousPose previous_pose_of(uint32_t instance, uint32_t mesh) const;
  void find_change(uint32_t task, const VisibleInstance& visible);
  void merge_changes();
  bool is_host_posed(size_t key) const { return key / meshes_.size() == 1; }
  void sort(const PlanSource& source, const ParallelFor& parallel_for);
  void find_owners(const ParallelFor& parallel_for);
  void count_shared(const ParallelFor& parallel_for, uint32_t pieces);
  void add_batches(const PlanSource& source, Plan& plan);
  void add_previous(const PlanSource& source, const UpdateGroup& group, Plan& plan);
  void add_new(uint32_t key, uint32_t group, Plan& plan);
  void add_changes(Plan& plan);
  void write_changes(Plan& plan) const;
  void write_meshes(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan);
  void add_up_instances(const ParallelFor& parallel_for, Plan& plan);
  void write_instances(const ParallelFor& parallel_for, Plan& plan);
  void count(const PlanSource& source, Plan& plan) const;
  void count_buckets(const PlanSource& source);

  // Waking a thread takes as long as some thousand items: fewer are done by the thread that calls.
  static constexpr uint32_t kMinPerPiece = 8192;

  std::span<const Task> tasks_;
  const PreviousPoses* previous_poses_ = nullptr;
  bool skin_level_changes_ = true;
  std::vector<MeshLevel> meshes_;        // every level of every character
  std::vector<uint32_t> first_mesh_of_;  // in meshes_, of each character
  uint32_t max_level_ = 0;
  uint32_t bucket_count_ = 0;              // of all meshes
  std::vector<uint32_t> first_bucket_of_;  // of each mesh
  // A key is a place in the order of the plan: group 0, group 0 posed by the host, group 1 and on; each by mesh.
  size_t key_count_ = 0;
  std::vector<uint32_t> task_counts_;   // [task][key]: visible instances, then where the next one goes in sorted_
  std::vector<uint32_t> first_of_key_;  // in sorted_; then the end
  std::vector<SortedInstance> sorted_;  // by key, then by instance; without those that keep their posed mesh
  std::vector<uint32_t> rank_;          // of each in sorted_: among those with the same posed mesh; 0: the first
  std::vector<uint32_t> new_mesh_;      // of each in sorted_: its posed mesh, counted over all new ones
  std::vector<uint32_t> piece_owners_;  // of each piece of sorted_
  std::vector<uint32_t> bucket_ranks_;  // [piece][bucket]
  std::vector<uint32_t> bucket_total_, bucket_mesh_;  // of each bucket: its instances, its new posed mesh
  std::vector<uint32_t> new_shift_;                   // of each key: index in Plan::posed_meshes minus new_mesh_
  std::vector<uint8_t> kept_;                         // of the previous plan's posed meshes: kept, and visible now
  std::vector<Part> parts_;
  std::vector<uint32_t> piece_instances_;
  std::vector<std::vector<LevelChange>> task_changes_;  // of each task
  std::vector<LevelChange> changes_;                    // of all tasks: ordered, each once
  uint32_t first_change_ = 0;                           // the posed mesh of the first of changes_
};

}  // namespace sinew::crowd::internal
