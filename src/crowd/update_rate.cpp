#include "update_rate.h"

#include <algorithm>
#include <utility>

#include "playback.h"
#include "posed_mesh_loop.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd::internal {
namespace {

constexpr uint32_t kMaxNewSlotDivisor = 4;  // more new slots than 1/4 of the visible: all groups are updated

}  // namespace

UpdateRates::UpdateRates(std::span<const ModelInfo> models, std::span<ClipMotion> motions) {
  for (size_t i = 0; i < models.size(); ++i) motions_.emplace_back(models[i], motions[i]);
}

float UpdateRates::pixels_per_unit(const UpdateFrame& frame, uint32_t model, const Matrix3x4& world_from_model) const {
  float pixels = 0;
  for (const View& view : frame.views) {
    if (view.pixels_per_radian > 0)
      pixels = std::max(pixels, motions_[model].max_pixels_per_unit(view, world_from_model));
  }
  return pixels;
}

void UpdateRates::set_model(uint32_t model, const ModelInfo& info, ClipMotion& motion) {
  if (model == motions_.size()) motions_.emplace_back();
  motions_[model] = MotionPaths(info, motion);
}

/// Group 0 is updated in every frame: its posed meshes are never kept. An instance may own several posed meshes in
/// other groups, but is drawn with one of them at most.
void UpdateRates::begin(uint64_t frame, uint32_t instance_count, const Plan& previous,
                        const ParallelFor& parallel_for) {
  previous_ = &previous, frame_ = frame;
  for (uint32_t group = 0; group < kUpdateGroups; ++group) until_[group] = frames_until_update(group, frame);
  slots_.resize(instance_count);
  for_each_body(previous, parallel_for, [&](uint32_t b, uint32_t mesh) {
    const PosedMesh& posed = previous.posed_meshes[mesh];
    const PosedBatch& batch = previous.batches[b];
    if (batch.group == 0 || posed.instance_count == 0 || posed.instance >= instance_count) return;
    PreviousSlot& slot = slots_[posed.instance];
    slot.mesh = mesh, slot.batch = b, slot.frame = frame;
    if (!previous.groups[batch.group].updated) return;
    slot.shown = motions_[batch.model].point_of(previous.playbacks[mesh]);
  });
}

/// A posed mesh is kept until its group is updated, or until it is not accurate enough; then a group is chosen again.
void UpdateRates::assign_group(const UpdateFrame& frame, Task& task, VisibleInstance& visible, UpdateChoice& choice,
                               const Playback& playback) const {
  const Instances& instances = frame.instances;
  const uint32_t model = instances.models[visible.instance];
  choice.now = motions_[model].point_of(playback);
  const PreviousSlot& slot = slots_[visible.instance];
  if (can_keep(slot, model, visible.level, choice)) {
    choice.previous_mesh = slot.mesh;
    visible.group = uint8_t(previous_->batches[slot.batch].group);
    return;
  }
  const float speed = instances.speeds.empty() ? 1 : instances.speeds[visible.instance];
  // The error is that of the middle of the time; a pose that cannot be asked for ahead of time is that of its begin.
  const float share = instances.playback_source.at ? 1 : 2;
  uint32_t rate = kMaxFramesPerUpdate;
  const auto is_accurate = [&] {
    const float clip_seconds = speed * float(frame.frame_seconds) * float(rate - 1) * share;
    return MotionPaths::stays_close(choice.now, clip_seconds, choice.pixels_per_unit, kMaxUpdateErrorPixels);
  };
  while (rate > 1 && !is_accurate()) rate /= 2;
  const uint32_t phase = instances.phases.empty() ? visible.instance : instances.phases[visible.instance];
  visible.group = uint8_t(group_of_rate(rate, phase));
  task.new_slots += until_[visible.group] != 0;
}

bool UpdateRates::can_keep(const PreviousSlot& slot, uint32_t model, uint32_t level, const UpdateChoice& choice) const {
  if (slot.frame != frame_) return false;
  const PosedBatch& batch = previous_->batches[slot.batch];
  if (batch.model != model || batch.level != level || until_[batch.group] == 0) return false;
  return MotionPaths::are_close(slot.shown, choice.now, choice.pixels_per_unit, kMaxUpdateErrorPixels);
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
  for (size_t i = 0; i < task.visible.size(); ++i) {
    VisibleInstance& visible = task.visible[i];
    UpdateChoice& choice = task.updates[i];
    if (visible.group == 0) continue;
    const UpdateGroup& group = groups[visible.group];
    if (!group.updated) {
      if (choice.previous_mesh == kNoPosedMesh) visible.group = 0;
      continue;
    }
    choice.previous_mesh = kNoPosedMesh;
    if (shows_ahead(frame, group.seconds, task, i)) continue;
    visible.group = 0;
    if (visible.has_playback) continue;  // it does not where it kept a posed mesh, and so is on a path
    set_playback(task, i, motions_[frame.instances.models[visible.instance]].playback_of(choice.now));
  }
}

/// Sets what an instance plays at the time of its group, if that is accurate enough. A frame that is planned again asks
/// for one group only: an instance that another plan of the frame asked for another group shows what it plays now.
bool UpdateRates::shows_ahead(const UpdateFrame& frame, double seconds, Task& task, size_t i) const {
  const VisibleInstance& visible = task.visible[i];
  const UpdateChoice& choice = task.updates[i];
  const MotionPaths& motions = motions_[frame.instances.models[visible.instance]];
  PlaybackAhead* const known = task.ahead.empty() ? nullptr : &task.ahead[i];
  const auto is_close = [&](const PathPoint& point) {
    return MotionPaths::are_close(point, choice.now, choice.pixels_per_unit, kMaxUpdateErrorPixels);
  };
  if (known && known->group != 0) {
    known->is_shown = known->group == visible.group && is_close(known->point);
    if (known->is_shown) set_playback(task, i, motions.playback_of(known->point));
    return known->is_shown;
  }
  const Playback shown = playback_at(frame.instances, visible.instance, seconds);
  const PathPoint point = motions.point_of(shown);
  const bool is_shown = is_close(point);
  if (is_shown) set_playback(task, i, shown);
  if (known) *known = {point, visible.group, is_shown};
  return is_shown;
}

void UpdateRates::begin_again(const Instances& instances, Task& task) const {
  for (size_t i = 0; i < task.ahead.size(); ++i) {
    const VisibleInstance& visible = task.visible[i];
    const bool is_of_now = visible.has_playback && !std::exchange(task.ahead[i].is_shown, false);
    if (!is_of_now)
      set_playback(task, i, motions_[instances.models[visible.instance]].playback_of(task.updates[i].now));
  }
  for (UpdateChoice& choice : task.updates) choice.previous_mesh = kNoPosedMesh;
  task.new_slots = 0;
}

}  // namespace sinew::crowd::internal
