// Who is seen in a frame, and how much work each is worth: everybody, less who is out of sight, at a level of detail,
// with others' poses or their own of a moment ago where that does not show. What follows costs what the cast has, not
// what the scene has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crowd/cull.h"
#include "crowd/pose_buckets.h"
#include "crowd/update_rate.h"
#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// One mesh to be skinned with one palette, and who is drawn with it.
struct PosedMesh {
  uint32_t instance = 0;                            // in Scene::instances: whose pose it has
  uint32_t first_instance = 0, instance_count = 1;  // in VisibleSet::sharers; of a held one there may be none
  bool has_bucket = false;                          // its pose is that of a bucket, not the instance's own
};

/// Copies of one mesh: a run of VisibleSet::copies.
struct PosedBatch {
  uint32_t model = 0, level = 0;
  uint32_t mesh = 0;  // the level, counted over all models' levels in turn
  uint32_t first_mesh = 0, mesh_count = 0;
  uint32_t group = 0;  // in VisibleSet::groups
};

/// Batches that are sampled and skinned together, see update_rate.h.
struct UpdateGroup {
  uint32_t first_batch = 0, batch_count = 0;
  double seconds = 0;   // of the scene's time, that its copies are at: the middle of the frames they are shown in
  bool updated = true;  // false: held, the very copies of the frame before
};

/// Of one frame. `visible` and `culled` add up to the scene; of the visible, `shared` are drawn with the pose of
/// another, `held` with a copy that the frame does not update, and `casters` are out of sight themselves, but their
/// shadow may not be.
struct VisibleCounters {
  uint32_t visible = 0, culled = 0, shared = 0, not_updated = 0, shadow_only = 0;
  uint32_t updated_meshes = 0;
  std::vector<uint32_t> levels;        // of the visible, how many at each level of detail
  std::array<uint32_t, 3> rates = {};  // of the visible, how many in groups of each frame, every second, every fourth
};

struct VisibleSet {
  double seconds = 0;               // of the scene's time
  std::vector<UpdateGroup> groups;  // kUpdateGroups, or one where all is updated each frame
  std::vector<PosedBatch> batches;  // by group
  std::vector<PosedMesh> posed_meshes;
  std::vector<Playback> playbacks;  // of each copy; where it may be shared the middle of its bucket
  std::vector<uint32_t> instances;  // in Scene::instances; those of a copy together, copies in their order
  VisibleCounters counters;
};

/// Which of the levers are on.
struct Optimizations {
  bool cull = true;           // leave out who is out of sight, and whose shadow is where the view has some
  bool levels = true;         // draw who is small with a coarser mesh, where the models have them
  bool update_rate = true;    // sample and skin who is far in some frames only, and hold what is drawn
  uint32_t unique_poses = 0;  // share poses such that there are about so many; 0: everybody has their own
};

/// How much two of them save. What a budget gives up is given up here.
struct QualityLimits {
  float error_pixels = 1;     // that a level's surface may be off
  uint32_t unique_poses = 0;  // as Optimizations
};

/// Makes the cast of each frame. The same scene, views and times give the same casts, for any number of threads.
///
/// Nobody's held copy is drawn off by more than kMaxUpdateErrorPixels: who has none that is good enough, as one who
/// comes into sight, has one of their own in group 0 until their group is updated. Where that would be many, all groups
/// are.
class VisibilityPass {
 public:
  /// All arguments must outlive it.
  VisibilityPass(std::span<const Model> models, const Scene& scene, const Optimizations& options, ThreadPool& pool);

  const VisibleSet& compute(const View& view, double seconds);
  const VisibleSet& recompute();  // the same frame's, with another economy
  const VisibleSet& last() const { return set_; }

  /// From the next cast on. At first a pixel, and the poses of the options.
  void set_limits(const QualityLimits& limits);
  const QualityLimits& limits() const { return limits_; }
  bool chooses_levels() const { return options_.levels; }

  /// How far a joint of a shared pose may be turned from where it should be; 0 without sharing.
  float shared_radians() const;

 private:
  struct VisibleInstance {
    uint32_t instance = 0, level = 0;
    std::optional<uint32_t> bucket;  // of PoseBuckets, where the pose may be shared
    Playback playback;
    bool shadow_only = false;  // in the cast for its shadow alone
    uint32_t group = 0;
    uint32_t previous_mesh = kNoMesh;  // in before_.copies, where that is good enough
    float pixels_per_unit = 0;         // of the model, at the most
  };
  /// A frame, as members are looked at.
  struct FrameView {
    View view;
    double seconds = 0;
    uint64_t number = 0;
    Frustum frustum;
    std::optional<ShadowExtent> shadows;  // where there are some
  };
  /// Where an instance's copy lies in before_, if it was found for this frame.
  struct PreviousSlot {
    uint32_t mesh = 0, batch = 0;
    uint64_t frame = 0;  // that it was found for
  };
  /// Instances of one model that a thread takes at once, and those of them that are seen.
  struct Task {
    uint32_t model = 0, first_instance = 0, instance_count = 0;
    std::vector<VisibleInstance> visible;
    uint32_t new_slots = 0;  // of those, whose group has no copy of them that will do, and not its turn
  };
  static constexpr uint32_t kNoMesh = UINT32_MAX;
  bool is_updated_now(uint32_t group) const { return frames_until_update(group, frame_.number) == 0; }
  void share_poses();
  void find_previous_slots();
  void find_visible(Task& task);
  bool may_matter(uint32_t instance) const;
  uint32_t choose_level(const Model& model, float pixels_per_meter, uint8_t& level) const;
  void assign_update_group(Task& task, VisibleInstance& member);
  bool is_good(const PreviousSlot& previous, const Task& task, const VisibleInstance& member) const;
  void begin_update_groups();
  void resolve_update_groups(Task& task);
  void sort_by_mesh();
  void add_group(uint32_t group);
  void add_unchanged_group(const UpdateGroup& group);
  void add_batch(const PosedBatch& mesh, std::span<const VisibleInstance* const> members);
  void place_instances(const PosedBatch& batch, std::span<const VisibleInstance* const> members);
  void count();

  std::span<const Model> models_;
  const Scene& scene_;
  Optimizations options_;
  QualityLimits limits_;
  ThreadPool& pool_;
  uint32_t group_count_ = 1;
  FrameView frame_;
  double frame_seconds_ = 1 / 60.0;           // about how far apart frames are
  std::vector<MotionPaths> motions_;          // of each model, where update rates are chosen
  std::vector<PreviousSlot> previous_slots_;  // of each instance
  std::vector<bool> drawn_;                   // of before_.copies, who is held and seen
  std::vector<uint8_t> levels_;               // that each instance was last seen at
  std::vector<Sphere> spheres_;               // of each instance, where the lever is on
  float floor_ = 0;                           // y, meters: likewise, that nobody reaches below
  std::vector<PosedBatch> meshes_;            // every level of every model, without copies
  std::vector<Task> tasks_;
  std::vector<std::vector<ClipPath>> rotation_paths_;  // of each model, where poses are shared
  std::vector<PoseBuckets> buckets_;                   // of each model, likewise; every level has its own copies
  std::vector<uint32_t> mesh_of_bucket_, mesh_of_;     // of the batch; of each of its members
  std::vector<uint32_t> first_of_mesh_;                // in `sorted_`, of each group's; and the end
  std::vector<const VisibleInstance*> sorted_;         // by group, by mesh, then as in the scene; without who is held
  VisibleSet set_, before_;                            // this frame's, the one's before
};

}  // namespace sinew::app
