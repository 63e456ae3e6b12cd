#include "update_rate.h"

#include <algorithm>

#include "playback.h"
#include "posed_mesh_loop.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd::internal {
namespace {

constexpr uint32_t kMaxNewSlotDivisor = 4;  // more new slots than 1/4 of the visible: all groups are updated

float max_pixels_per_unit(const MotionPaths& motions, const UpdateFrame& frame, const Matrix3x4& world_from_model) {
  float pixels = 0;
  for (const View& view : frame.views) {
    if (view.pixels_per_radian > 0) pixels = std::max(pixels, motions.max_pixels_per_unit(view, world_from_model));
  }
  return pixels;
}

}  // namespace

UpdateRates::UpdateRates(std::span<const CharacterInfo> characters, const ParallelFor& parallel_for) {
  for (const CharacterInfo& character : characters) motions_.emplace_back(character, parallel_for);
}

/// Group 0 is updated in every frame: its posed meshes are never kept. An instance may own several posed meshes in
/// other groups, but is drawn with one of them at most.
void UpdateRates::begin(uint64_t frame, uint32_t instance_count, const Plan& previous,
                        const ParallelFor& parallel_for) {
  previous_ = &previous;
  slots_.resize(instance_count);
  for_each_posed_mesh(previous, parallel_for, [&](uint32_t batch, uint32_t mesh) {
    const PosedMesh& posed = previous.posed_meshes[mesh];
    const bool kept = previous.batches[batch].group > 0 && posed.instance_count > 0;
    if (kept && posed.instance < instance_count) slots_[posed.instance] = {mesh, batch, frame};
  });
}

/// A posed mesh is kept until its group is updated, or until it is not accurate enough; then a group is chosen again.
void UpdateRates::assign_group(const UpdateFrame& frame, Task& task, VisibleInstance& visible,
                               const Matrix3x4& world_from_model) const {
  const MotionPaths& motions = motions_[visible.character];
  visible.pixels_per_unit = max_pixels_per_unit(motions, frame, world_from_model);
  const PreviousSlot slot = slots_[visible.instance];
  if (can_keep(frame, slot, visible)) {
    visible.previous_mesh = slot.mesh;
    visible.group = previous_->batches[slot.batch].group;
    return;
  }
  const Instances& instances = frame.instances;
  const float speed = instances.speeds.empty() ? 1 : instances.speeds[visible.instance];
  // The error is that of the middle of the time; a pose that cannot be asked for ahead of time is that of its begin.
  const float share = instances.playback_source.at ? 1 : 2;
  uint32_t rate = kMaxFramesPerUpdate;
  const auto error_pixels = [&] {
    const float clip_seconds = speed * float(frame.frame_seconds) * float(rate - 1) * share;
    return motions.max_error_over(visible.playback, clip_seconds) * visible.pixels_per_unit;
  };
  while (rate > 1 && !(error_pixels() <= kMaxUpdateErrorPixels)) rate /= 2;
  const uint32_t phase = instances.phases.empty() ? visible.instance : instances.phases[visible.instance];
  visible.group = group_of_rate(rate, phase);
  task.new_slots += frames_until_update(visible.group, frame.number) != 0;
}

bool UpdateRates::can_keep(const UpdateFrame& frame, const PreviousSlot& slot, const VisibleInstance& visible) const {
  if (slot.frame != frame.number) return false;
  const PosedBatch& batch = previous_->batches[slot.batch];
  if (batch.character != visible.character || batch.level != visible.level) return false;
  if (frames_until_update(batch.group, frame.number) == 0) return false;
  const float error =
      motions_[visible.character].max_distance_between(previous_->playbacks[slot.mesh], visible.playback);
  return error * visible.pixels_per_unit <= kMaxUpdateErrorPixels;
}

void UpdateRates::begin_groups(const UpdateFrame& frame, std::span<const Task> tasks,
                               std::vector<UpdateGroup>& groups) const {
  uint64_t visible = 0, new_slots = 0;
  for (const Task& task : tasks) visible += task.visible.size(), new_slots += task.new_slots;
  const bool all = previous_->groups.empty() || new_slots * kMaxNewSlotDivisor > visible;
  groups.assign(kUpdateGroups, {});
  for (uint32_t g = 0; g < kUpdateGroups; ++g) {
    UpdateGroup& group = groups[g];
    group.updated = all || frames_until_update(g, frame.number) == 0;
    const uint32_t shown = frames_until_update(g, frame.number + 1) + 1;
    const double ahead = frame.instances.playback_source.at ? frame.frame_seconds * (shown - 1) / 2 : 0;
    group.seconds = group.updated ? frame.seconds + ahead : previous_->groups[g].seconds;
  }
}

void UpdateRates::resolve(const UpdateFrame& frame, std::span<const UpdateGroup> groups, Task& task) const {
  for (VisibleInstance& visible : task.visible) {
    if (visible.group == 0) continue;
    const UpdateGroup& group = groups[visible.group];
    if (!group.updated) {
      if (visible.previous_mesh == kNoPosedMesh) visible.group = 0;
      continue;
    }
    visible.previous_mesh = kNoPosedMesh;
    const Playback shown = playback_at(frame.instances, visible.instance, group.seconds);
    const float error = motions_[visible.character].max_distance_between(shown, visible.playback);
    if (error * visible.pixels_per_unit <= kMaxUpdateErrorPixels) {
      visible.playback = shown;
    } else {
      visible.group = 0;
    }
  }
}

}  // namespace sinew::crowd::internal
