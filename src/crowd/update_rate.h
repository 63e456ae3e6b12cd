// Update rate by distance. A distant instance is evaluated and skinned only in every second or fourth frame, and drawn
// in every frame.
//
// A posed mesh that is not updated is never drawn with an error above kMaxUpdateErrorPixels. An instance whose previous
// posed mesh is not accurate enough, or that just became visible, needs a new slot: it gets its own posed mesh in group
// 0 until its group is updated. Where many instances need a new slot, all groups are updated.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "motion_paths.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/plan.h"
#include "sinew/crowd/planner.h"
#include "visible_instances.h"

namespace sinew::crowd::internal {

// The instances of one rate are divided by their phases into as many update groups as the rate counts frames, so that
// the groups share the work of each frame; see kUpdateGroups.
inline constexpr uint32_t kMaxFramesPerUpdate = 4;

inline uint32_t group_of_rate(uint32_t rate, uint32_t phase) { return rate - 1 + phase % rate; }
inline uint32_t rate_of_group(uint32_t group) { return std::bit_floor(group + 1); }

/// The number of frames until a group is updated; 0: it is updated in this frame.
inline uint32_t frames_until_update(uint32_t group, uint64_t frame) {
  const uint64_t rate = rate_of_group(group), phase = group - (rate - 1);
  return uint32_t((phase + rate - frame % rate) % rate);
}

/// Whether a kept pose of a level saves more than the decision costs.
inline bool may_skip_updates(const Level& level) {
  return level.palette_size == 0 || level.palette_size > kMaxAlwaysUpdatedPalette;
}

/// A frame, as the update rates see it.
struct UpdateFrame {
  const Instances& instances;
  std::span<const View> views;
  uint64_t number = 0;
  double seconds = 0;
  double frame_seconds = 0;  // about the time between frames
};

class UpdateRates {
 public:
  /// Takes ClipMotion::moved of each model.
  UpdateRates(std::span<const ModelInfo> models, std::span<ClipMotion> motions);

  /// Begins a frame: finds the posed mesh of each instance in `previous`, which must outlive the frame.
  void begin(uint64_t frame, uint32_t instance_count, const Plan& previous, const ParallelFor& parallel_for);

  /// An instance that is new keeps no posed mesh. Calls for different instances may run in parallel.
  void forget(uint32_t instance) { slots_[instance].frame = 0; }

  /// A model that was added: its number is that of no other, or of one that is gone.
  void set_model(uint32_t model, const ModelInfo& info, ClipMotion& motion);
  /// Frees what is known of a model that is gone.
  void clear_model(uint32_t model) { motions_[model] = {}; }

  /// Upper bound of the pixels per model unit of an instance, for UpdateChoice.
  float pixels_per_unit(const UpdateFrame& frame, uint32_t model, const Matrix3x4& world_from_model) const;

  /// Chooses the update group of a visible instance, or lets it keep its previous posed mesh. `choice` has its
  /// pixels_per_unit. Not for an instance with a shared pose, because others use it too. Not for a shadow-only
  /// instance, because its shadow may fall near the eye. Calls for different tasks may run in parallel.
  void assign_group(const UpdateFrame& frame, Task& task, VisibleInstance& visible, UpdateChoice& choice,
                    const Playback& playback) const;

  /// Decides which groups are updated in this frame, and the time that their poses show.
  void begin_groups(const UpdateFrame& frame, std::span<const Task> tasks, std::vector<UpdateGroup>& groups) const;

  /// Sets the playbacks of instances whose group is updated. Moves an instance to group 0 where its group has no posed
  /// mesh that is accurate enough. Calls for different tasks may run in parallel.
  void resolve(const UpdateFrame& frame, std::span<const UpdateGroup> groups, Task& task) const;

  /// Takes back what was decided, before a frame is planned again, and asks nothing: with a PlaybackSource all visible
  /// instances have the playback of now. Task::ahead has an element for each of them.
  void begin_again(const Instances& instances, Task& task) const;

 private:
  /// The posed mesh of an instance in the previous plan. Valid if `frame` is the current one. `shown` stays as long as
  /// the posed mesh is kept: an instance that is drawn with another one does not come back to it.
  struct PreviousSlot {
    uint32_t mesh = 0, batch = 0;
    uint64_t frame = 0;  // number of the frame that it was found for
    PathPoint shown;     // what the posed mesh plays
  };
  bool shows_ahead(const UpdateFrame& frame, double seconds, Task& task, size_t i) const;
  bool can_keep(const PreviousSlot& slot, uint32_t model, uint32_t level, const UpdateChoice& choice) const;

  std::vector<MotionPaths> motions_;                // of each model
  std::vector<PreviousSlot> slots_;                 // of each instance
  std::array<uint32_t, kUpdateGroups> until_ = {};  // of each group: the frames until it is updated
  uint64_t frame_ = 0;
  const Plan* previous_ = nullptr;
};

}  // namespace sinew::crowd::internal
