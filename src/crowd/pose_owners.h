// Shared poses: which visible instance owns a posed mesh, and which are drawn with that of another.
//
// Every step over instances runs in pieces on the host's threads: count, add up the counts, write. The result does not
// depend on the pieces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asset/for_each.h"
#include "pose_sharing.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/plan.h"
#include "visible_instances.h"

namespace sinew::crowd::internal {

class PoseOwners {
 public:
  /// `buckets` of each model, or none; `models` of each mesh. Each mesh has its own posed meshes, and so its own
  /// buckets. `buckets` must outlive the plan.
  void begin(std::span<const PoseBuckets> buckets, std::span<const uint32_t> models);

  /// Whether poses can be shared. If not, nothing below is called.
  bool can_share() const { return bucket_count_ > 0; }

  /// Sorts the visible instances that keep no posed mesh. `places` has [task][key]: where the next one of a key goes.
  void sort(std::span<const Task> tasks, std::vector<uint32_t>& places, uint32_t count,
            const ParallelFor& parallel_for);

  /// The first instance of each bucket owns the posed mesh of the bucket; an instance without a bucket owns its own.
  /// Posed meshes are in the order of their owners.
  void find_owners(const ParallelFor& parallel_for);

  /// The new posed meshes before sorted instance `i`, which is the first of its key, or the end.
  uint32_t meshes_before(uint32_t i) const;

  /// Writes new posed meshes but for their first instances. `mesh_shifts` of each key: index in Plan::posed_meshes
  /// minus number of the new posed mesh; may wrap around, as the sum does.
  void write_meshes(std::span<const uint32_t> mesh_shifts, const ParallelFor& parallel_for, Plan& plan) const;

  /// Sets PosedMesh::first_instance of all. Returns the number of instances.
  uint32_t add_up_instances(const ParallelFor& parallel_for, Plan& plan);

  /// Calls `write(instance, key, place)` for each sorted instance: its place in Plan::instances.
  template <class Write>
  void for_each_place(std::span<const uint32_t> mesh_shifts, const ParallelFor& parallel_for, const Plan& plan,
                      Write&& write) const {
    const sinew::internal::Pieces pieces(uint32_t(sorted_.size()), kMinPerPiece);
    sinew::internal::for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
      for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
        const SortedInstance& sorted = sorted_[i];
        const uint32_t mesh = (rank_[i] == 0 ? new_mesh_[i] : bucket_mesh_[sorted.bucket]) + mesh_shifts[sorted.key];
        write(sorted.instance, sorted.key, plan.posed_meshes[mesh].first_instance + rank_[i]);
      }
    });
  }

 private:
  /// A visible instance in the order of the plan. What the passes over all of them need is here, in one place.
  struct SortedInstance {
    const Playback* playback = nullptr;
    uint32_t instance = 0, key = 0;
    uint64_t bucket = kOwnPose;  // counted over the buckets of all meshes; after number_buckets() over those in use
  };
  void number_buckets(const ParallelFor& parallel_for);
  void count_shared(const ParallelFor& parallel_for, uint32_t pieces);
  Playback playback_of(const SortedInstance& owner) const;

  static constexpr uint64_t kOwnPose = UINT64_MAX;  // in place of a bucket

  // The lists of buckets have room for so many that are empty, for each instance and in all. A host that asks for more
  // poses pays with a sort, not with memory.
  static constexpr uint64_t kMaxBucketsPerInstance = 4, kMinRoomForBuckets = 8192;

  // Waking a thread takes as long as some thousand items: fewer are done by the thread that calls.
  static constexpr uint32_t kMinPerPiece = 8192;

  std::span<const PoseBuckets> buckets_;
  std::span<const uint32_t> models_;       // of each mesh
  uint64_t bucket_count_ = 0;              // of all meshes
  std::vector<uint64_t> first_bucket_of_;  // of each mesh
  uint32_t used_count_ = 0;                // buckets after number_buckets()
  std::vector<uint64_t> used_;             // of each of them: its number over all buckets; empty: the same number
  std::vector<SortedInstance> sorted_;     // by key, then by instance; without those that keep their posed mesh
  std::vector<uint32_t> rank_;             // of each in sorted_: among those with the same posed mesh; 0: the first
  std::vector<uint32_t> new_mesh_;         // of each in sorted_: its posed mesh, counted over all new ones
  std::vector<uint32_t> piece_owners_;     // of each piece of sorted_
  std::vector<uint32_t> bucket_ranks_;     // [piece][bucket in use]
  std::vector<uint32_t> bucket_total_, bucket_mesh_;  // of each bucket in use: its instances, its new
                                                      // posed mesh
  std::vector<uint32_t> piece_instances_;
};

}  // namespace sinew::crowd::internal
