#include "plan_builder.h"

#include <algorithm>
#include <bit>

#include "asset/for_each.h"
#include "update_rate.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
using sinew::internal::Pieces;
namespace {

template <class T>
void resize(std::vector<T>& items, size_t count) {
  reserve_with_margin(items, count);
  items.resize(count);
}

template <class T>
void fill(std::vector<T>& items, size_t count, T value) {
  reserve_with_margin(items, count);
  items.assign(count, value);
}

/// The number of instances of the posed meshes before one.
uint32_t instances_before(const Plan& plan, size_t mesh) {
  return mesh < plan.posed_meshes.size() ? plan.posed_meshes[mesh].first_instance : uint32_t(plan.instances.size());
}

}  // namespace

PlanBuilder::PlanBuilder(std::span<const CharacterInfo> characters) {
  for (uint32_t character = 0; character < characters.size(); ++character) {
    first_mesh_of_.push_back(uint32_t(meshes_.size()));
    for (uint32_t level = 0; level < characters[character].levels.size(); ++level) {
      meshes_.push_back({character, level, characters[character].levels[level].palette_size > 0});
      max_level_ = std::max(max_level_, level);
    }
  }
}

size_t PlanBuilder::key_of(const VisibleInstance& visible) const {
  const size_t place = visible.host_posed ? 1 : visible.group == 0 ? 0 : visible.group + 1;
  return place * meshes_.size() + mesh_of(visible);
}

/// Each mesh has its own posed meshes, and so its own buckets.
void PlanBuilder::count_buckets(const PlanSource& source) {
  resize(first_bucket_of_, meshes_.size());
  bucket_count_ = 0;
  for (size_t mesh = 0; mesh < meshes_.size() && !source.buckets.empty(); ++mesh) {
    first_bucket_of_[mesh] = bucket_count_;
    bucket_count_ += source.buckets[meshes_[mesh].character].count();
  }
}

void PlanBuilder::begin(const PlanSource& source, size_t group_count) {
  tasks_ = source.tasks;
  key_count_ = (group_count + 1) * meshes_.size();
  count_buckets(source);
  fill(task_counts_, tasks_.size() * key_count_, 0u);
  fill(kept_, source.previous.posed_meshes.size(), uint8_t(0));
  previous_poses_ = source.previous_poses, skin_level_changes_ = source.skin_level_changes;
  if (task_changes_.size() < tasks_.size()) task_changes_.resize(tasks_.size());
}

void PlanBuilder::count_task(uint32_t task) {
  uint32_t* counts = task_counts_.data() + task * key_count_;
  clear_with_margin(task_changes_[task]);
  for (const VisibleInstance& visible : tasks_[task].visible) {
    if (previous_poses_ != nullptr && skin_level_changes_) find_change(task, visible);
    if (visible.previous_mesh == kNoPosedMesh) {
      ++counts[key_of(visible)];
    } else {
      kept_[visible.previous_mesh] = 1;
    }
  }
}

void PlanBuilder::build(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan) {
  sort(source, parallel_for);
  merge_changes();
  find_owners(parallel_for);
  add_batches(source, plan);
  write_meshes(source, parallel_for, plan);
  add_up_instances(parallel_for, plan);
  write_instances(parallel_for, plan);
  count(source, plan);
}

PlanBuilder::LevelChange PlanBuilder::change_of(uint32_t instance, uint32_t mesh, uint32_t previous_mesh) const {
  return {previous_poses_->batch_of(instance).host_posed, mesh, previous_mesh};
}

/// The host wrote the previous pose, and writes no palette of a level's own.
bool PlanBuilder::loses_pose(uint32_t instance, uint32_t mesh) const {
  return meshes_[mesh].own_palette && previous_poses_->batch_of(instance).host_posed;
}

void PlanBuilder::find_change(uint32_t task, const VisibleInstance& visible) {
  const uint32_t previous = previous_poses_->posed_mesh_of(visible.instance, visible.character);
  if (previous == kNoPosedMesh || previous_poses_->batch_of(visible.instance).level == visible.level) return;
  if (loses_pose(visible.instance, mesh_of(visible))) return;
  task_changes_[task].push_back(change_of(visible.instance, mesh_of(visible), previous));
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
  const uint32_t previous = previous_poses_->posed_mesh_of(instance, meshes_[mesh].character);
  if (previous == kNoPosedMesh) return {};
  if (previous_poses_->batch_of(instance).mesh == mesh) return {previous, false};
  if (!skin_level_changes_ || loses_pose(instance, mesh)) return {};
  const auto change = std::lower_bound(changes_.begin(), changes_.end(), change_of(instance, mesh, previous));
  return {first_change_ + uint32_t(change - changes_.begin()), true};
}

/// Stable counting sort by key.
void PlanBuilder::sort(const PlanSource& source, const ParallelFor& parallel_for) {
  const uint32_t tasks = uint32_t(source.tasks.size());
  resize(first_of_key_, key_count_ + 1);
  uint32_t next = 0;
  for (size_t key = 0; key < key_count_; ++key) {
    first_of_key_[key] = next;
    for (uint32_t task = 0; task < tasks; ++task) {
      uint32_t& count = task_counts_[task * key_count_ + key];
      next += std::exchange(count, next);
    }
  }
  first_of_key_[key_count_] = next;
  resize(sorted_, next);
  for_each(parallel_for, tasks, [&](uint32_t task) {
    uint32_t* places = task_counts_.data() + task * key_count_;
    for (const VisibleInstance& visible : source.tasks[task].visible) {
      if (visible.previous_mesh != kNoPosedMesh) continue;
      const uint32_t key = uint32_t(key_of(visible)), mesh = key % uint32_t(meshes_.size());
      const uint32_t bucket = visible.bucket == kNoBucket ? kNoBucket : first_bucket_of_[mesh] + visible.bucket;
      sorted_[places[key]++] = {&visible, visible.instance, key, bucket};
    }
  });
}

/// The first instance of each bucket owns the posed mesh of the bucket; an instance without a bucket owns its own.
/// Posed meshes are in the order of their owners.
void PlanBuilder::find_owners(const ParallelFor& parallel_for) {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  fill(rank_, sorted_.size(), 0u);
  fill(piece_owners_, pieces.count(), 0u);
  if (bucket_count_ > 0) count_shared(parallel_for, pieces.count());
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* ranks = bucket_ranks_.data() + size_t{piece} * bucket_count_;
    uint32_t owners = 0;
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (sorted_[i].bucket != kNoBucket) rank_[i] = ranks[sorted_[i].bucket]++;
      owners += rank_[i] == 0;
    }
    piece_owners_[piece] = owners;
  });
  uint32_t next = 0;
  for (uint32_t& owners : piece_owners_) next += std::exchange(owners, next);
  resize(new_mesh_, sorted_.size());
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t owner = piece_owners_[piece];
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (rank_[i] != 0) continue;
      new_mesh_[i] = owner++;
      if (sorted_[i].bucket != kNoBucket) bucket_mesh_[sorted_[i].bucket] = new_mesh_[i];
    }
  });
}

/// For each piece and bucket: the instances of the bucket in the pieces before.
void PlanBuilder::count_shared(const ParallelFor& parallel_for, uint32_t piece_count) {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  resize(bucket_ranks_, size_t{piece_count} * bucket_count_);
  resize(bucket_total_, bucket_count_), resize(bucket_mesh_, bucket_count_);
  for_each(parallel_for, piece_count, [&](uint32_t piece) {
    uint32_t* counts = bucket_ranks_.data() + size_t{piece} * bucket_count_;
    std::fill(counts, counts + bucket_count_, 0);
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (sorted_[i].bucket != kNoBucket) ++counts[sorted_[i].bucket];
    }
  });
  const Pieces slices(bucket_count_, kMinPerPiece);
  for_each(parallel_for, slices.count(), [&](uint32_t slice) {
    for (uint32_t bucket = slices.begin(slice); bucket < slices.end(slice); ++bucket) {
      uint32_t before = 0;
      for (uint32_t piece = 0; piece < piece_count; ++piece) {
        uint32_t& count = bucket_ranks_[size_t{piece} * bucket_count_ + bucket];
        before += std::exchange(count, before);
      }
      bucket_total_[bucket] = before;
    }
  });
}

void PlanBuilder::add_batches(const PlanSource& source, Plan& plan) {
  plan.batches.clear(), parts_.clear();
  resize(new_shift_, key_count_);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    UpdateGroup& group = plan.groups[g];
    group.first_batch = uint32_t(plan.batches.size());
    if (!group.updated) add_previous(source, source.previous.groups[g], plan);
    const size_t first_place = g == 0 ? 0 : g + 1, end_place = g + 2;
    for (size_t key = first_place * meshes_.size(); key < end_place * meshes_.size(); ++key) {
      if (first_of_key_[key] < first_of_key_[key + 1]) add_new(uint32_t(key), g, plan);
    }
    if (g == 0) add_changes(plan);
    group.batch_count = uint32_t(plan.batches.size()) - group.first_batch;
  }
  const uint32_t meshes = plan.batches.empty() ? 0 : plan.batches.back().first_mesh + plan.batches.back().mesh_count;
  resize(plan.posed_meshes, meshes), resize(plan.playbacks, meshes);
}

/// Repeats the posed meshes of the last frame, with those of their instances that are visible now.
void PlanBuilder::add_previous(const PlanSource& source, const UpdateGroup& group, Plan& plan) {
  for (PosedBatch batch : std::span(source.previous.batches).subspan(group.first_batch, group.batch_count)) {
    parts_.push_back({uint32_t(plan.batches.size()), kNoKey, batch.first_mesh});
    batch.first_mesh = plan.batches.empty() ? 0 : plan.batches.back().first_mesh + plan.batches.back().mesh_count;
    plan.batches.push_back(batch);
  }
}

void PlanBuilder::add_new(uint32_t key, uint32_t group, Plan& plan) {
  const auto new_meshes_before = [&](uint32_t i) {  // the first instance of a key is always an owner
    if (i < sorted_.size()) return new_mesh_[i];
    uint32_t last = i;
    while (rank_[--last] != 0) continue;
    return new_mesh_[last] + 1;
  };
  const uint32_t first = new_meshes_before(first_of_key_[key]);
  PosedBatch batch;
  batch.mesh = key % uint32_t(meshes_.size());
  batch.character = meshes_[batch.mesh].character, batch.level = meshes_[batch.mesh].level;
  batch.first_mesh = plan.batches.empty() ? 0 : plan.batches.back().first_mesh + plan.batches.back().mesh_count;
  batch.mesh_count = new_meshes_before(first_of_key_[key + 1]) - first;
  batch.group = group;
  batch.host_posed = is_host_posed(key);
  new_shift_[key] = batch.first_mesh - first;  // may wrap around, as the sum with new_mesh_ does
  parts_.push_back({uint32_t(plan.batches.size()), key, 0});
  plan.batches.push_back(batch);
}

/// In group 0, because they are needed in this frame only.
void PlanBuilder::add_changes(Plan& plan) {
  first_change_ = plan.batches.empty() ? 0 : plan.batches.back().first_mesh + plan.batches.back().mesh_count;
  for (uint32_t first = 0, end = 0; first < changes_.size(); first = end) {
    const LevelChange& change = changes_[first];
    const auto same = [&](uint32_t i) {
      return changes_[i].mesh == change.mesh && changes_[i].host_posed == change.host_posed;
    };
    while (end < changes_.size() && same(end)) ++end;
    PosedBatch batch;
    batch.mesh = change.mesh;
    batch.character = meshes_[batch.mesh].character, batch.level = meshes_[batch.mesh].level;
    batch.first_mesh = first_change_ + first, batch.mesh_count = end - first;
    batch.host_posed = change.host_posed, batch.previous_poses = true;
    plan.batches.push_back(batch);
  }
}

void PlanBuilder::write_changes(Plan& plan) const {
  for (size_t i = 0; i < changes_.size(); ++i) {
    const Plan& previous = previous_poses_->plan();
    PosedMesh& mesh = plan.posed_meshes[first_change_ + i];
    mesh = previous.posed_meshes[changes_[i].previous_mesh];
    mesh.instance_count = 0;
    plan.playbacks[first_change_ + i] = previous.playbacks[changes_[i].previous_mesh];
  }
}

void PlanBuilder::write_meshes(const PlanSource& source, const ParallelFor& parallel_for, Plan& plan) {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (rank_[i] != 0) continue;
      const VisibleInstance& visible = *sorted_[i].visible;
      const uint32_t mesh = new_mesh_[i] + new_shift_[sorted_[i].key], bucket = sorted_[i].bucket;
      const bool shared = bucket != kNoBucket;
      plan.posed_meshes[mesh] = {visible.instance, 0, shared ? bucket_total_[bucket] : 1, shared};
      plan.playbacks[mesh] = shared ? source.buckets[visible.character].playback_of(visible.bucket) : visible.playback;
    }
  });
  for_each(parallel_for, uint32_t(parts_.size()), [&](uint32_t p) {
    const Part& part = parts_[p];
    if (part.key != kNoKey) return;
    const PosedBatch& batch = plan.batches[part.batch];
    const auto playbacks = source.previous.playbacks.begin() + part.first_previous;
    std::copy(playbacks, playbacks + batch.mesh_count, plan.playbacks.begin() + batch.first_mesh);
    for (uint32_t i = 0; i < batch.mesh_count; ++i) {
      PosedMesh& mesh = plan.posed_meshes[batch.first_mesh + i];
      mesh = source.previous.posed_meshes[part.first_previous + i];
      mesh.instance_count = kept_[part.first_previous + i];
    }
  });
  write_changes(plan);
}

/// Sets PosedMesh::first_instance.
void PlanBuilder::add_up_instances(const ParallelFor& parallel_for, Plan& plan) {
  const Pieces pieces(uint32_t(plan.posed_meshes.size()), kMinPerPiece);
  fill(piece_instances_, pieces.count(), 0u);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t sum = 0;
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) sum += plan.posed_meshes[i].instance_count;
    piece_instances_[piece] = sum;
  });
  uint32_t total = 0;
  for (uint32_t& instances : piece_instances_) total += std::exchange(instances, total);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t next = piece_instances_[piece];
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      plan.posed_meshes[i].first_instance = next;
      next += plan.posed_meshes[i].instance_count;
    }
  });
  resize(plan.instances, total);
  resize(plan.previous_poses, previous_poses_ ? total : 0);
}

void PlanBuilder::write_instances(const ParallelFor& parallel_for, Plan& plan) {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      const SortedInstance& sorted = sorted_[i];
      const uint32_t mesh = rank_[i] == 0 ? new_mesh_[i] : bucket_mesh_[sorted.bucket];
      const uint32_t place = plan.posed_meshes[mesh + new_shift_[sorted.key]].first_instance + rank_[i];
      plan.instances[place] = sorted.instance;
      if (previous_poses_)
        plan.previous_poses[place] = previous_pose_of(sorted.instance, sorted.key % uint32_t(meshes_.size()));
    }
  });
  for_each(parallel_for, uint32_t(parts_.size()), [&](uint32_t p) {
    if (parts_[p].key != kNoKey) return;
    const PosedBatch& batch = plan.batches[parts_[p].batch];
    for (const PosedMesh& mesh : std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count)) {
      if (mesh.instance_count == 0) continue;
      plan.instances[mesh.first_instance] = mesh.instance;
      if (previous_poses_) plan.previous_poses[mesh.first_instance] = previous_pose_of(mesh.instance, batch.mesh);
    }
  });
}

void PlanBuilder::count(const PlanSource& source, Plan& plan) const {
  Counters& counters = plan.counters;
  counters.shared = counters.not_updated = counters.shadow_only = counters.updated_meshes = 0;
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
  for (const Task& task : source.tasks) all += task.instance_count, counters.shadow_only += task.shadow_only;
  counters.visible = uint32_t(plan.instances.size());
  counters.culled = all - counters.visible;
}

}  // namespace sinew::crowd::internal
