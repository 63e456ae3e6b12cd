#include "crowd/visible_set.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew::app {
namespace {

constexpr uint32_t kInstancesPerTask = 2048;
constexpr float kNoSharingAbovePixels = 120;  // an instance of this height or more does not share a pose
constexpr float kHysteresis = 0.8f;           // part of the allowed error below which a coarser level is chosen
constexpr double kMaxFrameSeconds = 0.25;     // a longer step is a pause or a jump in time
constexpr uint32_t kMaxNewSlotDivisor = 4;    // more new slots than 1/4 of the set: all groups are updated

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
  const uint32_t buckets_per_mesh = std::max(limits_.unique_poses / std::max(uint32_t(meshes_.size()), 1u), 1u);
  for (size_t model = 0; model < models_.size(); ++model)
    buckets_.emplace_back(models_[model], rotation_paths_[model], buckets_per_mesh);
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
  if (!view.shadows.empty()) frame_.shadows = shadow_extent_of(view, floor_);
  std::swap(set_, previous_set_);
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

bool VisibilityPass::may_be_drawn(uint32_t instance) const {
  return frame_.shadows ? may_cast_visible_shadow(frame_.frustum, spheres_[instance], *frame_.shadows)
                        : may_be_visible(frame_.frustum, spheres_[instance]);
}

/// Group 0 is updated in every frame: its posed meshes are never reused.
void VisibilityPass::find_previous_slots() {
  for (uint32_t b = 0; b < previous_set_.batches.size(); ++b) {
    const PosedBatch& batch = previous_set_.batches[b];
    for (uint32_t c = batch.first_mesh; c < batch.first_mesh + batch.mesh_count && batch.group > 0; ++c)
      previous_slots_[previous_set_.posed_meshes[c].instance] = {c, b, frame_.number};
  }
}

/// The sphere test is the only work for an instance that is culled by it.
void VisibilityPass::find_visible(Task& task) {
  const Model& model = models_[task.model];
  task.visible.clear(), task.new_slots = 0;
  for (uint32_t i = task.first_instance; i < task.first_instance + task.instance_count; ++i) {
    if (options_.cull && !may_be_drawn(i)) continue;
    const CrowdInstance& instance = scene_.instances[i];
    const Playback playback = playback_at(model, instance, frame_.seconds);
    const bool visible = !options_.cull || !model.bounds || may_be_visible(frame_.frustum, model, instance, playback);
    if (!visible &&
        !(frame_.shadows && may_cast_visible_shadow(frame_.frustum, model, instance, playback, *frame_.shadows)))
      continue;
    const glm::vec3 center(instance.position.x, model.height / 2, instance.position.z);
    const float pixels_per_meter = frame_.view.pixels_per_radian / glm::distance(frame_.view.eye, center);
    VisibleInstance& visible_instance = task.visible.emplace_back();
    visible_instance.instance = i, visible_instance.playback = playback, visible_instance.shadow_only = !visible;
    if (options_.levels) visible_instance.level = choose_level(model, pixels_per_meter, levels_[i]);
    if (!buckets_.empty() && model.height * pixels_per_meter < kNoSharingAbovePixels)
      visible_instance.bucket = buckets_[task.model].bucket_of(playback);
    if (options_.update_rate && visible && !visible_instance.bucket) assign_update_group(task, visible_instance);
  }
}

/// Not for an instance with a shared pose, because others use it too. Not for a shadow-only instance, because its
/// shadow may fall near the eye. A posed mesh is reused until its group is updated, or until it is not accurate enough;
/// then a group is chosen again.
void VisibilityPass::assign_update_group(Task& task, VisibleInstance& visible_instance) {
  const MotionPaths& motions = motions_[task.model];
  const CrowdInstance& instance = scene_.instances[visible_instance.instance];
  visible_instance.pixels_per_unit = motions.max_pixels_per_unit(frame_.view, instance);
  const PreviousSlot previous = previous_slots_[visible_instance.instance];
  if (can_reuse(previous, task, visible_instance)) {
    visible_instance.previous_mesh = previous.mesh;
    visible_instance.group = previous_set_.batches[previous.batch].group;
    return;
  }
  uint32_t rate = kSlowestRate;
  const auto error_pixels = [&] {
    return motions.max_error_over(visible_instance.playback, instance.speed * float(frame_seconds_) * float(rate - 1)) *
           visible_instance.pixels_per_unit;
  };
  while (rate > 1 && !(error_pixels() <= kMaxUpdateErrorPixels)) rate /= 2;
  visible_instance.group = group_of_rate(rate, instance.random);
  task.new_slots += !is_updated_now(visible_instance.group);
}

bool VisibilityPass::can_reuse(const PreviousSlot& previous, const Task& task,
                               const VisibleInstance& visible_instance) const {
  if (previous.frame != frame_.number) return false;
  const PosedBatch& batch = previous_set_.batches[previous.batch];
  if (batch.level != visible_instance.level || is_updated_now(batch.group)) return false;
  const float error =
      motions_[task.model].max_distance_between(previous_set_.playbacks[previous.mesh], visible_instance.playback);
  return error * visible_instance.pixels_per_unit <= kMaxUpdateErrorPixels;
}

/// Which groups are updated in this frame, and the time that their poses show.
void VisibilityPass::begin_update_groups() {
  uint64_t visible = 0, new_slots = 0;
  for (const Task& task : tasks_) visible += task.visible.size(), new_slots += task.new_slots;
  const bool all = previous_set_.groups.empty() || new_slots * kMaxNewSlotDivisor > visible;
  set_.seconds = frame_.seconds;
  set_.groups.assign(group_count_, {});
  for (uint32_t g = 0; g < group_count_; ++g) {
    UpdateGroup& group = set_.groups[g];
    group.updated = all || is_updated_now(g);
    const uint32_t shown = frames_until_update(g, frame_.number + 1) + 1;
    group.seconds = group.updated ? frame_.seconds + frame_seconds_ * (shown - 1) / 2 : previous_set_.groups[g].seconds;
  }
}

/// Sets the playbacks of instances whose group is updated. Moves an instance to group 0 where its group has no posed
/// mesh that is accurate enough.
void VisibilityPass::resolve_update_groups(Task& task) {
  for (VisibleInstance& visible_instance : task.visible) {
    if (visible_instance.group == 0) continue;
    const UpdateGroup& group = set_.groups[visible_instance.group];
    if (!group.updated) {
      if (visible_instance.previous_mesh == kNoMesh) visible_instance.group = 0;
      continue;
    }
    visible_instance.previous_mesh = kNoMesh;
    const Playback shown = playback_at(models_[task.model], scene_.instances[visible_instance.instance], group.seconds);
    const float error = motions_[task.model].max_distance_between(shown, visible_instance.playback);
    if (error * visible_instance.pixels_per_unit <= kMaxUpdateErrorPixels) {
      visible_instance.playback = shown;
    } else {
      visible_instance.group = 0;
    }
  }
}

/// The coarsest level whose error is too small to see. `level` is the last one chosen. A coarser one replaces it only
/// at kHysteresis of the allowed error, so that an instance at the border between two levels does not flicker.
uint32_t VisibilityPass::choose_level(const Model& model, float pixels_per_meter, uint8_t& level) const {
  const auto error = [&](size_t of) { return model.levels[of].error * pixels_per_meter; };
  while (level > 0 && error(level) > limits_.error_pixels) --level;
  while (level + 1u < model.levels.size() && error(level + 1u) <= limits_.error_pixels * kHysteresis) ++level;
  return level;
}

/// Stable counting sort by group, then by mesh.
void VisibilityPass::sort_by_mesh() {
  std::vector<uint32_t> first_of_model(models_.size());
  for (const PosedBatch& mesh : meshes_) {
    if (mesh.level == 0) first_of_model[mesh.model] = mesh.mesh;
  }
  const auto mesh_index_of = [&](const Task& task, const VisibleInstance& visible_instance) {
    return visible_instance.group * meshes_.size() + first_of_model[task.model] + visible_instance.level;
  };
  first_of_mesh_.assign(group_count_ * meshes_.size() + 1, 0);
  drawn_.assign(previous_set_.posed_meshes.size(), false);
  for (const Task& task : tasks_) {
    for (const VisibleInstance& visible_instance : task.visible) {
      if (visible_instance.previous_mesh == kNoMesh) {
        ++first_of_mesh_[mesh_index_of(task, visible_instance) + 1];
      } else {
        drawn_[visible_instance.previous_mesh] = true;
      }
    }
  }
  std::partial_sum(first_of_mesh_.begin(), first_of_mesh_.end(), first_of_mesh_.begin());
  sorted_.resize(first_of_mesh_.back());
  std::vector<uint32_t> next(first_of_mesh_.begin(), first_of_mesh_.end() - 1);
  for (const Task& task : tasks_) {
    for (const VisibleInstance& visible_instance : task.visible) {
      if (visible_instance.previous_mesh == kNoMesh)
        sorted_[next[mesh_index_of(task, visible_instance)]++] = &visible_instance;
    }
  }
}

void VisibilityPass::add_group(uint32_t g) {
  UpdateGroup& group = set_.groups[g];
  group.first_batch = uint32_t(set_.batches.size());
  if (!group.updated) add_unchanged_group(previous_set_.groups[g]);
  for (PosedBatch mesh : meshes_) {
    mesh.group = g;
    const size_t mesh_index = g * meshes_.size() + mesh.mesh;
    const uint32_t first = first_of_mesh_[mesh_index], end = first_of_mesh_[mesh_index + 1];
    if (first < end) add_batch(mesh, std::span(sorted_).subspan(first, end - first));
  }
  group.batch_count = uint32_t(set_.batches.size()) - group.first_batch;
}

/// Repeats the posed meshes of the last frame, with those of their instances that are visible now.
void VisibilityPass::add_unchanged_group(const UpdateGroup& group) {
  for (PosedBatch batch : std::span(previous_set_.batches).subspan(group.first_batch, group.batch_count)) {
    const uint32_t first = std::exchange(batch.first_mesh, uint32_t(set_.posed_meshes.size()));
    for (uint32_t c = first; c < first + batch.mesh_count; ++c) {
      PosedMesh mesh = previous_set_.posed_meshes[c];
      mesh.first_instance = uint32_t(set_.instances.size());
      mesh.instance_count = drawn_[c];
      if (drawn_[c]) set_.instances.push_back(mesh.instance);
      set_.posed_meshes.push_back(mesh);
      set_.playbacks.push_back(previous_set_.playbacks[c]);
    }
    set_.batches.push_back(batch);
  }
}

/// The instances of one bucket share one posed mesh. Posed meshes are in the order of their first instances.
void VisibilityPass::add_batch(const PosedBatch& mesh_level,
                               std::span<const VisibleInstance* const> visible_instances) {
  PosedBatch batch = mesh_level;
  batch.first_mesh = uint32_t(set_.posed_meshes.size());
  const PoseBuckets* buckets = buckets_.empty() ? nullptr : &buckets_[mesh_level.model];
  mesh_of_bucket_.assign(buckets ? buckets->count() : 0, kNoMesh);
  mesh_of_.clear();
  for (const VisibleInstance* visible_instance : visible_instances) {
    uint32_t mesh = visible_instance->bucket ? mesh_of_bucket_[*visible_instance->bucket] : kNoMesh;
    if (mesh == kNoMesh) {
      mesh = uint32_t(set_.posed_meshes.size());
      set_.posed_meshes.push_back({visible_instance->instance, 0, 0, visible_instance->bucket.has_value()});
      set_.playbacks.push_back(visible_instance->bucket ? buckets->playback_of(*visible_instance->bucket)
                                                        : visible_instance->playback);
      if (visible_instance->bucket) mesh_of_bucket_[*visible_instance->bucket] = mesh;
    }
    ++set_.posed_meshes[mesh].instance_count;
    mesh_of_.push_back(mesh);
  }
  batch.mesh_count = uint32_t(set_.posed_meshes.size()) - batch.first_mesh;
  set_.batches.push_back(batch);
  list_instances(batch, visible_instances);
}

void VisibilityPass::list_instances(const PosedBatch& batch,
                                    std::span<const VisibleInstance* const> visible_instances) {
  uint32_t next = uint32_t(set_.instances.size());
  for (PosedMesh& mesh : std::span(set_.posed_meshes).subspan(batch.first_mesh)) {
    mesh.first_instance = next;
    next += std::exchange(mesh.instance_count, 0);
  }
  set_.instances.resize(next);
  for (size_t i = 0; i < visible_instances.size(); ++i) {
    PosedMesh& mesh = set_.posed_meshes[mesh_of_[i]];
    set_.instances[mesh.first_instance + mesh.instance_count++] = visible_instances[i]->instance;
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
    for (const VisibleInstance& visible_instance : task.visible) counters.shadow_only += visible_instance.shadow_only;
  }
  counters.visible = uint32_t(set_.instances.size());
  counters.culled = uint32_t(scene_.instances.size() - set_.instances.size());
}

}  // namespace sinew::app
