#include "pose_owners.h"

#include <algorithm>
#include <utility>

#include "asset/for_each.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
using sinew::internal::Pieces;

void PoseOwners::begin(std::span<const PoseBuckets> buckets, std::span<const uint32_t> models) {
  buckets_ = buckets, models_ = models;
  resize_with_margin(first_bucket_of_, models.size());
  bucket_count_ = 0;
  for (size_t mesh = 0; mesh < models.size() && !buckets.empty(); ++mesh) {
    first_bucket_of_[mesh] = bucket_count_;
    bucket_count_ += buckets[models[mesh]].count();
  }
}

void PoseOwners::sort(std::span<const Task> tasks, std::vector<uint32_t>& places, uint32_t count,
                      const ParallelFor& parallel_for) {
  resize_with_margin(sorted_, count);
  const size_t key_count = tasks.empty() ? 0 : places.size() / tasks.size();
  for_each(parallel_for, uint32_t(tasks.size()), [&](uint32_t t) {
    const Task& task = tasks[t];
    uint32_t* next = places.data() + t * key_count;
    for (size_t i = 0; i < task.visible.size(); ++i) {
      if (kept_mesh_of(task, i) != kNoPosedMesh) continue;
      const VisibleInstance& visible = task.visible[i];
      const uint32_t key = key_of(visible, uint32_t(models_.size())), own = task.buckets[i];
      const uint64_t bucket = own == kNoBucket ? kOwnPose : first_bucket_of_[visible.mesh] + own;
      sorted_[next[key]++] = {&task.playbacks[i], visible.instance, key, bucket};
    }
  });
}

/// Buckets keep their numbers unless there are many more than instances: then those in use are numbered in their order.
void PoseOwners::number_buckets(const ParallelFor& parallel_for) {
  used_.clear();
  used_count_ = uint32_t(bucket_count_);
  if (bucket_count_ <= sorted_.size() * kMaxBucketsPerInstance + kMinRoomForBuckets) return;
  reserve_with_margin(used_, sorted_.size());
  for (const SortedInstance& sorted : sorted_) {
    if (sorted.bucket != kOwnPose) used_.push_back(sorted.bucket);
  }
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  used_count_ = uint32_t(used_.size());
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      uint64_t& bucket = sorted_[i].bucket;
      if (bucket != kOwnPose) bucket = uint64_t(std::lower_bound(used_.begin(), used_.end(), bucket) - used_.begin());
    }
  });
}

void PoseOwners::find_owners(const ParallelFor& parallel_for) {
  number_buckets(parallel_for);
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  fill_with_margin(rank_, sorted_.size(), 0u);
  fill_with_margin(piece_owners_, pieces.count(), 0u);
  count_shared(parallel_for, pieces.count());
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* ranks = bucket_ranks_.data() + size_t{piece} * used_count_;
    uint32_t owners = 0;
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (sorted_[i].bucket != kOwnPose) rank_[i] = ranks[sorted_[i].bucket]++;
      owners += rank_[i] == 0;
    }
    piece_owners_[piece] = owners;
  });
  uint32_t next = 0;
  for (uint32_t& owners : piece_owners_) next += std::exchange(owners, next);
  resize_with_margin(new_mesh_, sorted_.size());
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t owner = piece_owners_[piece];
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (rank_[i] != 0) continue;
      new_mesh_[i] = owner++;
      if (sorted_[i].bucket != kOwnPose) bucket_mesh_[sorted_[i].bucket] = new_mesh_[i];
    }
  });
}

/// For each piece and bucket: the instances of the bucket in the pieces before.
void PoseOwners::count_shared(const ParallelFor& parallel_for, uint32_t piece_count) {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  resize_with_margin(bucket_ranks_, size_t{piece_count} * used_count_);
  resize_with_margin(bucket_total_, used_count_), resize_with_margin(bucket_mesh_, used_count_);
  for_each(parallel_for, piece_count, [&](uint32_t piece) {
    uint32_t* counts = bucket_ranks_.data() + size_t{piece} * used_count_;
    std::fill(counts, counts + used_count_, 0);
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (sorted_[i].bucket != kOwnPose) ++counts[sorted_[i].bucket];
    }
  });
  const Pieces slices(used_count_, kMinPerPiece);
  for_each(parallel_for, slices.count(), [&](uint32_t slice) {
    for (uint32_t bucket = slices.begin(slice); bucket < slices.end(slice); ++bucket) {
      uint32_t before = 0;
      for (uint32_t piece = 0; piece < piece_count; ++piece) {
        uint32_t& count = bucket_ranks_[size_t{piece} * used_count_ + bucket];
        before += std::exchange(count, before);
      }
      bucket_total_[bucket] = before;
    }
  });
}

uint32_t PoseOwners::meshes_before(uint32_t i) const {
  if (i < sorted_.size()) return new_mesh_[i];  // the first instance of a key is always an owner
  uint32_t last = i;
  while (rank_[--last] != 0) continue;
  return new_mesh_[last] + 1;
}

Playback PoseOwners::playback_of(const SortedInstance& owner) const {
  if (owner.bucket == kOwnPose) return *owner.playback;
  const size_t mesh = owner.key % models_.size();
  const uint64_t bucket = used_.empty() ? owner.bucket : used_[owner.bucket];
  return buckets_[models_[mesh]].playback_of(uint32_t(bucket - first_bucket_of_[mesh]));
}

void PoseOwners::write_meshes(std::span<const uint32_t> mesh_shifts, const ParallelFor& parallel_for,
                              Plan& plan) const {
  const Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      if (rank_[i] != 0) continue;
      const SortedInstance& owner = sorted_[i];
      const uint32_t mesh = new_mesh_[i] + mesh_shifts[owner.key];
      const bool shared = owner.bucket != kOwnPose;
      plan.posed_meshes[mesh] = {owner.instance, 0, shared ? bucket_total_[owner.bucket] : 1, shared};
      plan.playbacks[mesh] = playback_of(owner);
    }
  });
}

uint32_t PoseOwners::add_up_instances(const ParallelFor& parallel_for, Plan& plan) {
  const Pieces pieces(uint32_t(plan.posed_meshes.size()), kMinPerPiece);
  fill_with_margin(piece_instances_, pieces.count(), 0u);
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
  return total;
}

}  // namespace sinew::crowd::internal
