#include "crowd/visible_set.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew::app {
namespace {

constexpr uint32_t kInstancesPerTask = 2048;  // instances
constexpr float kNoSharingAbovePixels = 120;  // from this height on nobody's pose is shared
constexpr float kHysteresis = 0.8f;        // of the pixels that a level may be off, from which on it gets coarser again
constexpr double kMaxFrameSeconds = 0.25;  // what takes longer is no frame but a pause or a leap
constexpr uint32_t kMaxNewSlotDivisor = 4;  // where a quarter of the seen would move, all are updated in their groups

}  // namespace

VisibilityPass::VisibilityPass(std::span<const Model> models, const Scene& scene, const Optimizations& options,
                               ThreadPool& pool)
    : models_(models), scene_(scene), options_(options), pool_(pool), levels_(scene.instances.size()) {
  for (uint32_t model = 0; model < models.size(); ++model) {
    for (uint32_t level = 0; level < models[model].levels.size(); ++level)
      meshes_.push_back({model, level, uint32_t(meshes_.size())});
  }
  for (const Batch& batch : scene.batches) {
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count && options.cull; ++i) {
      spheres_.push_back(sphere_of(models[batch.model], scene.instances[i]));
      floor_ = std::min(floor_, floor_of(models[batch.model], scene.instances[i]));
    }
    for (uint32_t done = 0; done < batch.instance_count; done += kInstancesPerTask) {
      const uint32_t count = std::min(kInstancesPerTask, batch.instance_count - done);
      tasks_.push_back({batch.model, batch.first_instance + done, count, {}});
    }
  }
  if (options.update_rate) {
    group_count_ = kUpdateGroups;
    for (const Model& model : models) motions_.emplace_back(model, pool);
    previous_slots_.resize(scene.instances.size());
  }
  limits_.unique_poses = options.unique_poses;
  share_poses();
}

void VisibilityPass::set_limits(const QualityLimits& limits) {
  const bool same_poses = limits.unique_poses == limits_.unique_poses;
  limits_ = limits;
  if (!same_poses) share_poses();
}

void VisibilityPass::share_poses() {
  buckets_.clear();
  if (limits_.unique_poses == 0) return;
  if (rotation_paths_.empty()) {
    for (const Model& model : models_) rotation_paths_.push_back(measure_rotation_paths(model));
  }
  const uint32_t of_each = std::max(limits_.unique_poses / std::max(uint32_t(meshes_.size()), 1u), 1u);
  for (size_t model = 0; model < models_.size(); ++model)
    buckets_.emplace_back(models_[model], rotation_paths_[model], of_each);
}

float VisibilityPass::shared_radians() const {
  float radians = 0;
  for (const PoseBuckets& buckets : buckets_) radians = std::max(radians, buckets.radians());
  return radians;
}

const VisibleSet& VisibilityPass::compute(const View& view, double seconds) {
  const double since = seconds - frame_.seconds;
  if (since > 0 && since < kMaxFrameSeconds) frame_seconds_ += (since - frame_seconds_) / 4;
  frame_ = {view, seconds, frame_.number + 1, frustum_of(view.clip_from_world), {}};
  if (!view.shadows.empty()) frame_.shadows = reach_of(view, floor_);
  std::swap(set_, before_);
  find_previous_slots();
  return recompute();
}

const VisibleSet& VisibilityPass::recompute() {
  pool_.for_each(uint32_t(tasks_.size()), [&](uint32_t task) { find_visible(tasks_[task]); });
  begin_update_groups();
  pool_.for_each(uint32_t(tasks_.size()), [&](uint32_t task) { resolve_update_groups(tasks_[task]); });
  sort_by_mesh();
  set_.batches.clear(), set_.posed_meshes.clear(), set_.playbacks.clear(), set_.instances.clear();
  for (uint32_t group = 0; group < group_count_; ++group) add_group(group);
  count();
  return set_;
}

bool VisibilityPass::may_matter(uint32_t instance) const {
  return frame_.shadows ? may_cast_visible_shadow(frame_.frustum, spheres_[instance], *frame_.shadows)
                        : may_be_visible(frame_.frustum, spheres_[instance]);
}

/// Only groups that can be held matter.
void VisibilityPass::find_previous_slots() {
  for (uint32_t b = 0; b < before_.batches.size(); ++b) {
    const PosedBatch& batch = before_.batches[b];
    for (uint32_t c = batch.first_mesh; c < batch.first_mesh + batch.mesh_count && batch.group > 0; ++c)
      previous_slots_[before_.posed_meshes[c].instance] = {c, b, frame_.number};
  }
}

/// All that is done for everybody is the sphere's test.
void VisibilityPass::find_visible(Task& task) {
  const Model& model = models_[task.model];
  task.visible.clear(), task.new_slots = 0;
  for (uint32_t i = task.first_instance; i < task.first_instance + task.instance_count; ++i) {
    if (options_.cull && !may_matter(i)) continue;
    const CrowdInstance& instance = scene_.instances[i];
    const Playback playback = playback_at(model, instance, frame_.seconds);
    const bool visible = !options_.cull || !model.bounds || may_be_visible(frame_.frustum, model, instance, playback);
    if (!visible &&
        !(frame_.shadows && may_cast_visible_shadow(frame_.frustum, model, instance, playback, *frame_.shadows)))
      continue;
    const glm::vec3 place(instance.position.x, model.height / 2, instance.position.z);
    const float pixels_per_meter = frame_.view.pixels_per_radian / glm::distance(frame_.view.eye, place);
    VisibleInstance& member = task.visible.emplace_back();
    member.instance = i, member.playback = playback, member.shadow_only = !visible;
    if (options_.levels) member.level = choose_level(model, pixels_per_meter, levels_[i]);
    if (!buckets_.empty() && model.height * pixels_per_meter < kNoSharingAbovePixels)
      member.bucket = buckets_[task.model].bucket_of(playback);
    if (options_.update_rate && visible && !member.bucket) assign_update_group(task, member);
  }
}

/// Not of who shares a pose, which is everybody's, nor of who only throws a shadow, which may fall near the eye. A copy
/// that is held is drawn until the turn of its group, or until it no longer will do; then a group is chosen anew.
void VisibilityPass::assign_update_group(Task& task, VisibleInstance& member) {
  const MotionPaths& motions = motions_[task.model];
  const CrowdInstance& instance = scene_.instances[member.instance];
  member.pixels_per_unit = motions.max_pixels_per_unit(frame_.view, instance);
  const PreviousSlot previous = previous_slots_[member.instance];
  if (is_good(previous, task, member)) {
    member.previous_mesh = previous.mesh;
    member.group = before_.batches[previous.batch].group;
    return;
  }
  uint32_t rate = kSlowestRate;
  const auto off_pixels = [&] {
    return motions.not_updated(member.playback, instance.speed * float(frame_seconds_) * float(rate - 1)) *
           member.pixels_per_unit;
  };
  while (rate > 1 && !(off_pixels() <= kMaxUpdateErrorPixels)) rate /= 2;
  member.group = group_of_rate(rate, instance.random);
  task.new_slots += !is_updated_now(member.group);
}

bool VisibilityPass::is_good(const PreviousSlot& previous, const Task& task, const VisibleInstance& member) const {
  if (previous.frame != frame_.number) return false;
  const PosedBatch& batch = before_.batches[previous.batch];
  if (batch.level != member.level || is_updated_now(batch.group)) return false;
  const float off = motions_[task.model].between(before_.playbacks[previous.mesh], member.playback);
  return off * member.pixels_per_unit <= kMaxUpdateErrorPixels;
}

/// Which are updated, and what moment they show.
void VisibilityPass::begin_update_groups() {
  uint64_t visible = 0, new_slots = 0;
  for (const Task& task : tasks_) visible += task.visible.size(), new_slots += task.new_slots;
  const bool all = before_.groups.empty() || new_slots * kMaxNewSlotDivisor > visible;
  set_.seconds = frame_.seconds;
  set_.groups.assign(group_count_, {});
  for (uint32_t g = 0; g < group_count_; ++g) {
    UpdateGroup& group = set_.groups[g];
    group.updated = all || is_updated_now(g);
    const uint32_t shown = frames_until_update(g, frame_.number + 1) + 1;
    group.seconds = group.updated ? frame_.seconds + frame_seconds_ * (shown - 1) / 2 : before_.groups[g].seconds;
  }
}

/// What members play when their group is updated, and who has to do without it.
void VisibilityPass::resolve_update_groups(Task& task) {
  for (VisibleInstance& member : task.visible) {
    if (member.group == 0) continue;
    const UpdateGroup& group = set_.groups[member.group];
    if (!group.updated) {
      if (member.previous_mesh == kNoMesh) member.group = 0;
      continue;
    }
    member.previous_mesh = kNoMesh;
    const Playback shown = playback_at(models_[task.model], scene_.instances[member.instance], group.seconds);
    const float off = motions_[task.model].between(shown, member.playback);
    if (off * member.pixels_per_unit <= kMaxUpdateErrorPixels)
      member.playback = shown;
    else
      member.group = 0;
  }
}

/// The coarsest whose error is too small to see. From `level`, the last one, it gets coarser later than finer, so that
/// who stands at the border does not flicker.
uint32_t VisibilityPass::choose_level(const Model& model, float pixels_per_meter, uint8_t& level) const {
  const auto error = [&](size_t of) { return model.levels[of].error * pixels_per_meter; };
  while (level > 0 && error(level) > limits_.error_pixels) --level;
  while (level + 1u < model.levels.size() && error(level + 1u) <= limits_.error_pixels * kHysteresis) ++level;
  return level;
}

/// Counts, then places: stable.
void VisibilityPass::sort_by_mesh() {
  std::vector<uint32_t> first_of_model(models_.size());
  for (const PosedBatch& mesh : meshes_) {
    if (mesh.level == 0) first_of_model[mesh.model] = mesh.mesh;
  }
  const auto place_of = [&](const Task& task, const VisibleInstance& member) {
    return member.group * meshes_.size() + first_of_model[task.model] + member.level;
  };
  first_of_mesh_.assign(group_count_ * meshes_.size() + 1, 0);
  drawn_.assign(before_.posed_meshes.size(), false);
  for (const Task& task : tasks_) {
    for (const VisibleInstance& member : task.visible) {
      if (member.previous_mesh == kNoMesh)
        ++first_of_mesh_[place_of(task, member) + 1];
      else
        drawn_[member.previous_mesh] = true;
    }
  }
  std::partial_sum(first_of_mesh_.begin(), first_of_mesh_.end(), first_of_mesh_.begin());
  sorted_.resize(first_of_mesh_.back());
  std::vector<uint32_t> next(first_of_mesh_.begin(), first_of_mesh_.end() - 1);
  for (const Task& task : tasks_) {
    for (const VisibleInstance& member : task.visible) {
      if (member.previous_mesh == kNoMesh) sorted_[next[place_of(task, member)]++] = &member;
    }
  }
}

void VisibilityPass::add_group(uint32_t g) {
  UpdateGroup& group = set_.groups[g];
  group.first_batch = uint32_t(set_.batches.size());
  if (!group.updated) add_unchanged_group(before_.groups[g]);
  for (PosedBatch mesh : meshes_) {
    mesh.group = g;
    const size_t place = g * meshes_.size() + mesh.mesh;
    const uint32_t first = first_of_mesh_[place], end = first_of_mesh_[place + 1];
    if (first < end) add_batch(mesh, std::span(sorted_).subspan(first, end - first));
  }
  group.batch_count = uint32_t(set_.batches.size()) - group.first_batch;
}

/// Its copies as they are, with who of them is seen.
void VisibilityPass::add_unchanged_group(const UpdateGroup& group) {
  for (PosedBatch batch : std::span(before_.batches).subspan(group.first_batch, group.batch_count)) {
    const uint32_t first = std::exchange(batch.first_mesh, uint32_t(set_.posed_meshes.size()));
    for (uint32_t c = first; c < first + batch.mesh_count; ++c) {
      PosedMesh mesh = before_.posed_meshes[c];
      mesh.first_instance = uint32_t(set_.instances.size());
      mesh.instance_count = drawn_[c];
      if (drawn_[c]) set_.instances.push_back(mesh.instance);
      set_.posed_meshes.push_back(mesh);
      set_.playbacks.push_back(before_.playbacks[c]);
    }
    set_.batches.push_back(batch);
  }
}

/// Members of one bucket are sharers of one copy, which stands where the first of them would.
void VisibilityPass::add_batch(const PosedBatch& mesh, std::span<const VisibleInstance* const> members) {
  PosedBatch batch = mesh;
  batch.first_mesh = uint32_t(set_.posed_meshes.size());
  const PoseBuckets* buckets = buckets_.empty() ? nullptr : &buckets_[mesh.model];
  mesh_of_bucket_.assign(buckets ? buckets->count() : 0, kNoMesh);
  mesh_of_.clear();
  for (const VisibleInstance* member : members) {
    uint32_t mesh = member->bucket ? mesh_of_bucket_[*member->bucket] : kNoMesh;
    if (mesh == kNoMesh) {
      mesh = uint32_t(set_.posed_meshes.size());
      set_.posed_meshes.push_back({member->instance, 0, 0, member->bucket.has_value()});
      set_.playbacks.push_back(member->bucket ? buckets->playback_of(*member->bucket) : member->playback);
      if (member->bucket) mesh_of_bucket_[*member->bucket] = mesh;
    }
    ++set_.posed_meshes[mesh].instance_count;
    mesh_of_.push_back(mesh);
  }
  batch.mesh_count = uint32_t(set_.posed_meshes.size()) - batch.first_mesh;
  set_.batches.push_back(batch);
  place_instances(batch, members);
}

void VisibilityPass::place_instances(const PosedBatch& batch, std::span<const VisibleInstance* const> members) {
  uint32_t next = uint32_t(set_.instances.size());
  for (PosedMesh& mesh : std::span(set_.posed_meshes).subspan(batch.first_mesh)) {
    mesh.first_instance = next;
    next += std::exchange(mesh.instance_count, 0);
  }
  set_.instances.resize(next);
  for (size_t i = 0; i < members.size(); ++i) {
    PosedMesh& mesh = set_.posed_meshes[mesh_of_[i]];
    set_.instances[mesh.first_instance + mesh.instance_count++] = members[i]->instance;
  }
}

void VisibilityPass::count() {
  VisibleCounters& counters = set_.counters;
  counters = {};
  for (const PosedBatch& mesh : meshes_)
    counters.levels.resize(std::max(counters.levels.size(), mesh.level + size_t{1}));
  for (const PosedBatch& batch : set_.batches) {
    const bool updated = set_.groups[batch.group].updated;
    uint32_t instances = 0;
    for (const PosedMesh& mesh : std::span(set_.posed_meshes).subspan(batch.first_mesh, batch.mesh_count))
      instances += mesh.instance_count;
    counters.levels[batch.level] += instances;
    counters.rates[size_t(std::countr_zero(rate_of_group(batch.group)))] += instances;
    (updated ? counters.shared : counters.not_updated) += updated ? instances - batch.mesh_count : instances;
    if (updated) counters.updated_meshes += batch.mesh_count;
  }
  for (const Task& task : tasks_) {
    for (const VisibleInstance& member : task.visible) counters.shadow_only += member.shadow_only;
  }
  counters.visible = uint32_t(set_.instances.size());
  counters.culled = uint32_t(scene_.instances.size() - set_.instances.size());
}

}  // namespace sinew::app
