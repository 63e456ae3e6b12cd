// What instances wear in a frame: batches of the backend that read the palettes of the bodies, and their places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crowd_models.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/plan.h"
#include "sinew/experimental/crowd_parts.h"

namespace sinew::vulkan::internal {

using experimental::PlacedRange;

/// Bits of wearables for each posed mesh of a plan, and a place in a list for each bit.
class WornBits {
 public:
  void reset(size_t posed_meshes) { bits_.assign(posed_meshes, 0); }
  void clear() { bits_.clear(), first_.clear(); }
  uint64_t& operator[](size_t mesh) { return bits_[mesh]; }
  uint64_t of(size_t mesh) const { return mesh < bits_.size() ? bits_[mesh] : 0; }

  /// Numbers all bits. Returns how many there are.
  uint32_t number();
  /// The number of a bit that is set.
  uint32_t place_of(size_t mesh, uint32_t wearable) const;

 private:
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> first_;  // number of the first bit of each posed mesh
};

/// Stages of a frame: begin(), add_batches() for each group that is updated, place().
class Outfits {
 public:
  /// What is worn in the groups that are updated: with a shared pose, by any instance that is drawn with it. In other
  /// groups it is what was worn in their last update: each of their posed meshes has one instance.
  void begin(const CrowdModels& models, const crowd::Plan& plan, const crowd::Instances& instances);
  /// Appends batches of a group to those of its bodies. Valid until the next begin().
  void add_batches(const CrowdModels& models, const crowd::Plan& plan, uint32_t group,
                   std::vector<experimental::BackendBatch>& batches);
  /// Finds the ranges, and the instances that are drawn with them.
  void place(const crowd::Plan& plan, const experimental::SkinningBackend& backend, const crowd::Instances& instances);
  /// Before a frame, and after an error: nothing is drawn.
  void forget_frame();
  /// What groups wore is forgotten too: all are updated next.
  void clear();

  /// All drawn instances: those of the plan, then those of worn meshes.
  std::span<const uint32_t> instances(const crowd::Plan& plan) const {
    return wearers_.empty() ? std::span(plan.instances) : std::span(instances_);
  }
  std::span<const PlacedRange> ranges() const { return ranges_; }
  /// Where PlacedRange::first_mesh counts. Their instances are those of instances().
  std::span<const crowd::PosedMesh> posed_meshes() const { return posed_meshes_; }

  /// What is drawn on an instance with this posed mesh of the plan.
  uint64_t drawn_on(const crowd::Plan& plan, const crowd::PosedBatch& batch, uint32_t posed_mesh, uint32_t instance,
                    const crowd::Instances& instances) const;

  /// With previous poses: notes where the vertices are. Call it after place().
  void note_slices();
  /// Of the instance at `place` in instances(), behind those of the plan; null: it wore nothing of the kind.
  const VertexSlice* previous_of(const crowd::Plan& plan, size_t place) const;

 private:
  /// Worn meshes of one kind, as the group was updated last.
  struct WornBatch {
    uint32_t body = 0;  // the batch in its group
    uint32_t wearable = 0, mesh = 0;
    std::vector<uint32_t> posed_meshes;  // counted in the batch of the bodies
  };
  /// Of an update group. Keeps the memory of batches that it has no more.
  struct WornGroup {
    std::vector<WornBatch> all;
    size_t count = 0;

    std::span<const WornBatch> batches() const { return std::span(all).first(count); }
    WornBatch& add(uint32_t body, uint32_t wearable, uint32_t mesh);
  };
  struct Slices {
    WornBits worn;
    std::vector<VertexSlice> slices;
  };
  /// An instance that is drawn with a worn mesh.
  struct Wearer {
    uint32_t place = 0;  // in Plan::instances
    uint32_t wearable = 0;
  };

  void find_worn(const CrowdModels& models, const crowd::Plan& plan, const crowd::Instances& instances);
  void place_range(const crowd::Plan& plan, uint32_t group, const InstanceRange& range,
                   const crowd::Instances& instances);

  std::vector<WornGroup> groups_;
  WornBits worn_;  // of the posed meshes of the plan
  std::vector<PlacedRange> ranges_;
  std::vector<uint32_t> wearables_;  // of each of `ranges_`
  std::vector<crowd::PosedMesh> posed_meshes_;
  std::vector<uint32_t> bodies_;  // of each of `posed_meshes_`: in Plan::posed_meshes
  std::vector<uint32_t> instances_;
  std::vector<Wearer> wearers_;  // of `instances_` behind those of the plan
  Slices now_, before_;
};

}  // namespace sinew::vulkan::internal
