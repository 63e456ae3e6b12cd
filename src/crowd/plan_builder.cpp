#include "plan_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "asset/for_each.h"
#include "playback.h"
#include "update_rate.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
namespace {

/// The number of instances of the posed meshes before one.
uint32_t instances_before(const Plan& plan, size_t mesh) {
  return mesh < plan.posed_meshes.size() ? plan.posed_meshes[mesh].first_instance : uint32_t(plan.instances.size());
}

}  // namespace

/// Changes nothing if memory runs out.
void PlanBuilder::set_models(std::span<const ModelInfo> models) {
  std::vector<uint32_t> of_mesh, first_mesh_of;
  std::vector<bool> own_palette;
  uint32_t most_levels = 1;
  for (uint32_t model = 0; model < models.size(); ++model) {
    const auto levels = uint32_t(models[model].levels.size());
    first_mesh_of.push_back(uint32_t(of_mesh.size()));
    of_mesh.insert(of_mesh.end(), levels, model);
    for (const Level& level : models[model].levels) own_palette.push_back(level.palette_size > 0);
    most_levels = std::max(most_levels, levels);
  }
  worn_.set_models(models);
  models_ = std::move(of_mesh), first_mesh_of_ = std::move(first_mesh_of), own_palette_ = std::move(own_palette);
  max_level_ = most_levels - 1;
}

void PlanBuilder::begin(const PlanSource& source, size_t group_count) {
  tasks_ = source.tasks;
  key_count_ = (group_count + 1) * models_.size();
  owners_.begin(source.buckets, models_);
  fill_with_margin(task_counts_, tasks_.size() * key_count_, 0u);
  fill_with_margin(kept_, source.previous.posed_meshes.size(), uint8_t(0));
  previous_poses_ = source.previous_poses, skin_level_changes_ = source.skin_level_changes;
  worn_.begin(source.previous, previous_poses_ != nullptr);
  if (task_changes_.size() < tasks_.size()) task_changes_.resize(tasks_.size());
}

void PlanBuilder::count_task(uint32_t t) {
  const Task& task = tasks_[t];
  uint32_t* counts = task_counts_.data() + t * key_count_;
  clear_with_margin(task_changes_[t]);
  for (size_t i = 0; i < task.visible.size(); ++i) {
    const VisibleInstance& visible = task.visible[i];
    if (previous_poses_ != nullptr && skin_level_changes_) find_change(t, visible);
    if (const uint32_t kept = kept_mesh_of(task, i); kept == kNoPosedMesh) {
      ++counts[key_of(visible)];
    } else {
      kept_[kept] = 1;
    }
  }
}

void PlanBuilder::build(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan) {
  const uint32_t new_count = add_up_counts();
  merge_changes();
  if (owners_.can_share()) {
    owners_.sort(tasks_, task_counts_, new_count, parallel_for);
    owners_.find_owners(parallel_for);
  }
  add_batches(source, plan);
  resize_with_margin(plan.posed_meshes, next_mesh_), resize_with_margin(plan.playbacks, next_mesh_);
  if (owners_.can_share()) {
    write_shared(source, parallel_for, plan);
  } else {
    write_own(source, parallel_for, plan);
  }
  count(source, plan);
  worn_.append(source.instances, plan);
}

PlanBuilder::LevelChange PlanBuilder::change_of(uint32_t instance, uint32_t mesh, uint32_t previous_mesh) const {
  return {previous_poses_->batch_of(instance).host_posed, mesh, previous_mesh};
}

/// The host wrote the previous pose, and writes no palette of a level's own.
bool PlanBuilder::has_no_previous_pose(uint32_t instance, uint32_t mesh) const {
  return own_palette_[mesh] && previous_poses_->batch_of(instance).host_posed;
}

void PlanBuilder::find_change(uint32_t task, const VisibleInstance& visible) {
  const uint32_t previous = previous_poses_->posed_mesh_of(visible.instance, models_[visible.mesh]);
  if (previous == kNoPosedMesh || previous_mesh_of(visible.instance) == visible.mesh) return;
  if (has_no_previous_pose(visible.instance, visible.mesh)) return;
  task_changes_[task].push_back(change_of(visible.instance, visible.mesh, previous));
}

/// Instances that shared a pose and change to the same level have one previous pose together.
void PlanBuilder::merge_changes() {
  clear_with_margin(changes_);
  for (size_t task = 0; task < tasks_.size(); ++task)
    changes_.insert(changes_.end(), task_changes_[task].begin(), task_changes_[task].end());
  std::sort(changes_.begin(), changes_.end());
  changes_.erase(std::unique(changes_.begin(), changes_.end()), changes_.end());
}

PreviousPose PlanBuilder::previous_pose_of(uint32_t instance, uint32_t mesh) const {
  const uint32_t previous = previous_poses_->posed_mesh_of(instance, models_[mesh]);
  if (previous == kNoPosedMesh) return {};
  if (previous_mesh_of(instance) == mesh) return {previous, false};
  if (!skin_level_changes_ || has_no_previous_pose(instance, mesh)) return {};
  const auto change = std::lower_bound(changes_.begin(), changes_.end(), change_of(instance, mesh, previous));
  return {first_change_ + uint32_t(change - changes_.begin()), true};
}

/// From counts to places: a stable counting sort by key. Returns the number of instances that it sorts.
uint32_t PlanBuilder::add_up_counts() {
  fill_with_margin(first_of_key_, key_count_ + 1, 0u);
  const auto counts_of = [&](size_t task) { return task_counts_.data() + task * key_count_; };
  for (size_t task = 0; task < tasks_.size(); ++task) {
    for (size_t key = 0; key < key_count_; ++key) first_of_key_[key] += counts_of(task)[key];
  }
  uint32_t next = 0;
  for (uint32_t& first : first_of_key_) next += std::exchange(first, next);
  for (size_t task = 0; task < tasks_.size(); ++task) {
    for (size_t key = 0; key < key_count_; ++key)
      first_of_key_[key] += std::exchange(counts_of(task)[key], first_of_key_[key]);
  }
  for (size_t key = key_count_; key > 0; --key) first_of_key_[key] = first_of_key_[key - 1];
  if (key_count_ > 0) first_of_key_[0] = 0;
  return next;
}

void PlanBuilder::add_batches(const PlanSource& source, Plan& plan) {
  plan.batches.clear(), repeated_.clear();
  next_mesh_ = next_instance_ = 0;
  resize_with_margin(mesh_shifts_, key_count_), resize_with_margin(instance_shifts_, key_count_);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    UpdateGroup& group = plan.groups[g];
    group.first_batch = uint32_t(plan.batches.size());
    if (!group.updated) repeat_group(source, source.previous.groups[g], plan);
    const size_t first_place = g == 0 ? 0 : g + 1, end_place = g + 2;
    for (size_t key = first_place * mesh_count(); key < end_place * mesh_count(); ++key) {
      if (first_of_key_[key] < first_of_key_[key + 1]) add_new(uint32_t(key), g, plan);
    }
    if (g == 0) add_changes(plan);
    group.batch_count = uint32_t(plan.batches.size()) - group.first_batch;
  }
}

void PlanBuilder::add_batch(uint32_t mesh, PosedBatch batch, Plan& plan) {
  batch.model = models_[mesh], batch.level = mesh - first_mesh_of_[batch.model];
  batch.first_mesh = next_mesh_, batch.bodies = uint32_t(plan.batches.size());
  plan.batches.push_back(batch);
  next_mesh_ += batch.mesh_count;
}

/// Repeats the posed meshes of the last frame, with those of their instances that are visible now.
void PlanBuilder::repeat_group(const PlanSource& source, const UpdateGroup& group, Plan& plan) {
  for (const PosedBatch& batch : std::span(source.previous.batches).subspan(group.first_batch, group.batch_count)) {
    if (batch.is_worn()) break;
    repeated_.push_back({uint32_t(plan.batches.size()), batch.first_mesh, next_instance_});
    const auto kept = kept_.begin() + batch.first_mesh;
    next_instance_ += uint32_t(std::count(kept, kept + batch.mesh_count, uint8_t(1)));
    add_batch(mesh_of(batch), batch, plan);
  }
}

void PlanBuilder::add_new(uint32_t key, uint32_t group, Plan& plan) {
  uint32_t first = first_of_key_[key], end = first_of_key_[key + 1];
  instance_shifts_[key] = next_instance_ - first;
  next_instance_ += end - first;
  if (owners_.can_share()) first = owners_.meshes_before(first), end = owners_.meshes_before(end);
  mesh_shifts_[key] = next_mesh_ - first;
  PosedBatch batch;
  batch.mesh_count = end - first;
  batch.group = group, batch.host_posed = is_host_posed(key);
  add_batch(key % mesh_count(), batch, plan);
}

/// In group 0, because they are needed in this frame only.
void PlanBuilder::add_changes(Plan& plan) {
  first_change_ = next_mesh_, change_instance_ = next_instance_;
  for (uint32_t first = 0, end = 0; first < changes_.size(); first = end) {
    const LevelChange& change = changes_[first];
    const auto same = [&](uint32_t i) {
      return changes_[i].mesh == change.mesh && changes_[i].host_posed == change.host_posed;
    };
    while (end < changes_.size() && same(end)) ++end;
    PosedBatch batch;
    batch.mesh_count = end - first;
    batch.host_posed = change.host_posed, batch.previous_poses = true;
    add_batch(change.mesh, batch, plan);
  }
}

void PlanBuilder::write_own(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan) {
  resize_instances(next_instance_, plan);
  write_changes(plan);
  const auto tasks = uint32_t(tasks_.size()), repeated = uint32_t(repeated_.size());
  for_each(parallel_for, tasks + repeated, [&](uint32_t i) {
    if (i < tasks) return write_task(source, i, plan);
    copy_repeated(source, repeated_[i - tasks], plan);
    list_repeated(repeated_[i - tasks], plan);
  });
}

void PlanBuilder::write_task(const PlanSource& source, uint32_t t, Plan& plan) {
  const Task& task = tasks_[t];
  uint32_t* places = task_counts_.data() + t * key_count_;
  for (size_t i = 0; i < task.visible.size(); ++i) {
    if (kept_mesh_of(task, i) != kNoPosedMesh) continue;
    const VisibleInstance& visible = task.visible[i];
    const uint32_t key = key_of(visible), place = places[key]++;
    const uint32_t mesh = place + mesh_shifts_[key], instance = place + instance_shifts_[key];
    plan.posed_meshes[mesh] = {visible.instance, instance, 1, false};
    plan.playbacks[mesh] =
        visible.has_playback ? task.playbacks[i] : playback_at(source.instances, visible.instance, plan.seconds);
    write_instance(visible.instance, visible.mesh, instance, plan);
  }
}

void PlanBuilder::write_shared(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan) {
  owners_.write_meshes(mesh_shifts_, parallel_for, plan);
  for_each(parallel_for, uint32_t(repeated_.size()), [&](uint32_t i) { copy_repeated(source, repeated_[i], plan); });
  write_changes(plan);
  resize_instances(owners_.add_up_instances(parallel_for, plan), plan);
  owners_.for_each_place(mesh_shifts_, parallel_for, plan, [&](uint32_t instance, uint32_t key, uint32_t place) {
    write_instance(instance, key % mesh_count(), place, plan);
  });
  for_each(parallel_for, uint32_t(repeated_.size()), [&](uint32_t i) { list_repeated(repeated_[i], plan); });
}

void PlanBuilder::resize_instances(uint32_t count, Plan& plan) const {
  resize_with_margin(plan.instances, count);
  resize_with_margin(plan.previous_poses, previous_poses_ ? count : 0);
}

void PlanBuilder::write_instance(uint32_t instance, uint32_t mesh, uint32_t place, Plan& plan) const {
  plan.instances[place] = instance;
  if (previous_poses_ != nullptr) plan.previous_poses[place] = previous_pose_of(instance, mesh);
}

void PlanBuilder::copy_repeated(const PlanSource& source, const Repeated& repeated, Plan& plan) const {
  const PosedBatch& batch = plan.batches[repeated.batch];
  const auto playbacks = source.previous.playbacks.begin() + repeated.first_previous;
  std::copy(playbacks, playbacks + batch.mesh_count, plan.playbacks.begin() + batch.first_mesh);
  uint32_t next = repeated.first_instance;
  for (uint32_t i = 0; i < batch.mesh_count; ++i) {
    const uint32_t owner = source.previous.posed_meshes[repeated.first_previous + i].instance;
    const uint32_t count = kept_[repeated.first_previous + i];
    plan.posed_meshes[batch.first_mesh + i] = {owner, next, count, false};
    next += count;
  }
}

void PlanBuilder::list_repeated(const Repeated& repeated, Plan& plan) const {
  const PosedBatch& batch = plan.batches[repeated.batch];
  for (const PosedMesh& mesh : std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count)) {
    if (mesh.instance_count > 0) write_instance(mesh.instance, mesh_of(batch), mesh.first_instance, plan);
  }
}

void PlanBuilder::write_changes(Plan& plan) const {
  for (size_t i = 0; i < changes_.size(); ++i) {
    const Plan& previous = previous_poses_->plan();
    PosedMesh& mesh = plan.posed_meshes[first_change_ + i];
    mesh = previous.posed_meshes[changes_[i].previous_mesh];
    mesh.first_instance = change_instance_, mesh.instance_count = 0;
    plan.playbacks[first_change_ + i] = previous.playbacks[changes_[i].previous_mesh];
  }
}

void PlanBuilder::count(const PlanSource& source, Plan& plan) const {
  PlanCounters& counters = plan.counters;
  counters.shared = counters.not_updated = counters.shadow_only = counters.updated_meshes = counters.occluded = 0;
  counters.rates = {};
  counters.levels.assign(max_level_ + 1, 0);
  for (const PosedBatch& batch : plan.batches) {
    const bool updated = plan.groups[batch.group].updated;
    const uint32_t instances =
        instances_before(plan, batch.first_mesh + batch.mesh_count) - instances_before(plan, batch.first_mesh);
    counters.levels[batch.level] += instances;
    counters.rates[size_t(std::countr_zero(rate_of_group(batch.group)))] += instances;
    if (updated) counters.updated_meshes += batch.mesh_count;
    if (batch.previous_poses) continue;
    (updated ? counters.shared : counters.not_updated) += updated ? instances - batch.mesh_count : instances;
  }
  uint32_t all = 0;
  for (const Task& task : source.tasks) {
    all += task.instance_count;
    counters.shadow_only += task.shadow_only, counters.occluded += task.occluded;
  }
  counters.visible = uint32_t(plan.instances.size());
  counters.culled = all - counters.visible;
}

}  // namespace sinew::crowd::internal
