// The visible set of a frame: which instances are drawn, and with how much work each. An instance has a level of
// detail. It may share the pose of another, or keep its previous pose where the error does not show. The cost of all
// later stages depends on the visible set, not on the scene.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crowd/cull.h"
#include "crowd/optimizations.h"
#include "crowd/pose_buckets.h"
#include "crowd/update_rate.h"
#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// One mesh skinned with one palette, and the instances drawn with it.
struct PosedMesh {
  uint32_t instance = 0;                            // in Scene::instances: the owner of the pose
  uint32_t first_instance = 0, instance_count = 1;  // in VisibleSet::instances; count 0: not updated, and not visible
  bool has_bucket = false;                          // the pose is that of a bucket, not the instance's own
};

/// Posed meshes of one mesh: a slice of VisibleSet::posed_meshes.
struct PosedBatch {
  uint32_t model = 0, level = 0;
  uint32_t mesh = 0;                        // the level's index, counted over all models' levels in turn
  uint32_t first_mesh = 0, mesh_count = 0;  // in VisibleSet::posed_meshes
  uint32_t group = 0;                       // in VisibleSet::groups
};

/// Batches that are sampled and skinned in the same frames: see update_rate.h.
struct UpdateGroup {
  uint32_t first_batch = 0, batch_count = 0;  // in VisibleSet::batches
  double seconds = 0;                         // scene time of its poses: the middle of the frames that show them
  bool updated = true;                        // false: its posed meshes are those of the previous frame
};

/// Counts of instances in one frame. `visible` and `culled` add up to the scene. Of the visible, `shared` are drawn
/// with another instance's pose, `not_updated` with a posed mesh that this frame does not update, and `shadow_only` are
/// outside the view, but their shadow may be inside.
struct VisibleCounters {
  uint32_t visible = 0, culled = 0, shared = 0, not_updated = 0, shadow_only = 0;
  uint32_t updated_meshes = 0;         // posed meshes that are sampled and skinned in this frame
  std::vector<uint32_t> levels;        // of the visible, at each level of detail
  std::array<uint32_t, 3> rates = {};  // of the visible, updated in every frame, every second, every fourth
};

struct VisibleSet {
  double seconds = 0;               // scene time
  std::vector<UpdateGroup> groups;  // kUpdateGroups, or one where all is updated in each frame
  std::vector<PosedBatch> batches;  // by group
  std::vector<PosedMesh> posed_meshes;
  std::vector<Playback> playbacks;  // of each posed mesh; with a bucket: the middle of the bucket
  std::vector<uint32_t> instances;  // in Scene::instances; in the order of the posed meshes they belong to
  VisibleCounters counters;
};

/// Limits of two optimizations. A memory budget reduces quality here.
struct QualityLimits {
  float error_pixels = 1;     // largest error of a level's surface
  uint32_t unique_poses = 0;  // as in Optimizations
};

/// Computes the visible set of each frame. The same scene, views and times give the same sets, for any number of
/// threads. One call at a time.
///
/// A posed mesh that is not updated is never drawn with an error above kMaxUpdateErrorPixels. An instance whose
/// previous posed mesh is not accurate enough, or that just became visible, needs a new slot: it gets its own posed
/// mesh in group 0 until its group is updated. Where many instances need a new slot, all groups are updated.
class VisibilityPass {
 public:
  /// `models`, `scene` and `pool` must outlive the pass. Measures all clips where an option needs their paths.
  VisibilityPass(std::span<const Model> models, const Scene& scene, const Optimizations& options, ThreadPool& pool);

  /// The visible set at `seconds` of scene time. Valid until the next call.
  const VisibleSet& compute(const View& view, double seconds);
  const VisibleSet& recompute();  // the same frame with other limits
  const VisibleSet& last() const { return set_; }

  /// For the next compute() or recompute(). At first one pixel, and the poses of the options.
  void set_limits(const QualityLimits& limits);
  const QualityLimits& limits() const { return limits_; }
  bool chooses_levels() const { return options_.levels; }

  /// The largest rotation error of a joint in a shared pose; 0 without sharing.
  float shared_radians() const;

 private:
  struct VisibleInstance {
    uint32_t instance = 0, level = 0;
    std::optional<uint32_t> bucket;  // of PoseBuckets, where the pose may be shared
    Playback playback;
    bool shadow_only = false;  // only its shadow may be visible
    uint32_t group = 0;
    uint32_t previous_mesh = kNoMesh;  // in previous_set_.posed_meshes, if accurate enough
    float pixels_per_unit = 0;         // of the model, upper bound
  };
  /// A frame and its view.
  struct FrameView {
    View view;
    double seconds = 0;
    uint64_t number = 0;
    Frustum frustum;
    std::optional<ShadowExtent> shadows;  // if the view has shadow maps
  };
  /// The posed mesh of an instance in previous_set_. Valid if `frame` is the current one.
  struct PreviousSlot {
    uint32_t mesh = 0, batch = 0;
    uint64_t frame = 0;  // number of the frame that it was found for
  };
  /// Instances of one model that a thread takes at once, and the visible ones among them.
  struct Task {
    uint32_t model = 0, first_instance = 0, instance_count = 0;
    std::vector<VisibleInstance> visible;
    uint32_t new_slots = 0;  // visible instances without a posed mesh to reuse, in a group that is not updated now
  };
  static constexpr uint32_t kNoMesh = UINT32_MAX;
  bool is_updated_now(uint32_t group) const { return frames_until_update(group, frame_.number) == 0; }
  void share_poses();
  void find_previous_slots();
  void find_visible(Task& task);
  bool may_be_drawn(uint32_t instance) const;
  uint32_t choose_level(const Model& model, float pixels_per_meter, uint8_t& level) const;
  void assign_update_group(Task& task, VisibleInstance& visible_instance);
  bool can_reuse(const PreviousSlot& previous, const Task& task, const VisibleInstance& visible_instance) const;
  void begin_update_groups();
  void resolve_update_groups(Task& task);
  void sort_by_mesh();
  void add_group(uint32_t group);
  void add_unchanged_group(const UpdateGroup& group);
  void add_batch(const PosedBatch& mesh_level, std::span<const VisibleInstance* const> visible_instances);
  void list_instances(const PosedBatch& batch, std::span<const VisibleInstance* const> visible_instances);
  void count();

  std::span<const Model> models_;
  const Scene& scene_;
  Optimizations options_;
  QualityLimits limits_;
  ThreadPool& pool_;
  uint32_t group_count_ = 1;
  FrameView frame_;
  double frame_seconds_ = 1 / 60.0;           // about the time between frames
  std::vector<MotionPaths> motions_;          // of each model, where update rates are chosen
  std::vector<PreviousSlot> previous_slots_;  // of each instance
  std::vector<bool> drawn_;                   // of previous_set_.posed_meshes: reused, and visible now
  std::vector<uint8_t> levels_;               // level of detail at which each instance was last visible
  std::vector<Sphere> spheres_;               // of each instance, with culling
  float floor_ = 0;                           // y, meters: no instance reaches lower; with culling
  std::vector<PosedBatch> meshes_;            // every level of every model, without posed meshes
  std::vector<Task> tasks_;
  std::vector<std::vector<ClipPath>> rotation_paths_;  // of each model, where poses are shared
  std::vector<PoseBuckets> buckets_;  // of each model, where poses are shared; each level has its own posed meshes
  std::vector<uint32_t> mesh_of_bucket_, mesh_of_;  // of the batch: posed mesh of each bucket, of each instance
  std::vector<uint32_t> first_of_mesh_;             // in `sorted_`, of each group's meshes; then the end
  std::vector<const VisibleInstance*> sorted_;  // by group, by mesh, then as in the scene; without reused posed meshes
  VisibleSet set_, previous_set_;               // this frame's, the last frame's
};

}  // namespace sinew::app
