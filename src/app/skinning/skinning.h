// From a plan to vertices that can be drawn. The steps that all strategies share: update groups, evaluation of
// palettes, counters.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/frame_times.h"
#include "skinning/skinning_strategy.h"

namespace sinew::app {

SkinningProperties properties_of(const SkinningInfo& info);

/// CPU time of one evaluate().
struct EvaluationTimes {
  CpuSpan sample;
  CpuSpan skin;  // empty where the CPU does not skin
};

/// What the last prepared frame writes; posed meshes that are not updated do not count.
struct SkinningCounters {
  uint64_t skinned_vertices = 0, palette_bytes = 0, skinned_bytes = 0;
  PageCopies copies;        // of the last record(): see SkinningStrategy
  uint64_t dispatches = 0;  // of the last record()
  StaticReads reads;        // likewise
};

class Skinning {
 public:
  /// `device`, `models` and `info.evaluation` must outlive it.
  static Result<Skinning> create(const Device& device, std::span<const Model> models, const SkinningInfo& info);

  /// Makes room for what a frame updates of a plan, and sets ranges() for all of the plan. May allocate.
  Status prepare(const vulkan::Frame& frame, const crowd::Plan& plan);
  std::span<const SkinnedRange> ranges() const { return ranges_; }  // valid until the next prepare()

  /// Writes what the prepared frame updates: palettes, and vertices where the CPU skins. `plan` is that of
  /// prepare().
  EvaluationTimes evaluate(const crowd::Plan& plan);

  /// These are as in SkinningStrategy.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info) { strategy_->record(cmd, info); }
  Status reload_kernel(std::span<const uint32_t> spirv) { return strategy_->reload_kernel(spirv); }
  vulkan::MeshBuffer static_mesh(uint32_t mesh) const { return strategy_->static_mesh(mesh); }
  /// Device memory for meshes, palettes, skinned vertices and job lists, in bytes, with room to grow.
  uint64_t device_bytes() const { return strategy_->device_bytes(); }

  SkinningCounters counters() const;
  const SkinningProperties& properties() const { return properties_; }
  SkinningMode mode() const { return info_.mode; }  // for reports
  AsyncCompute async() const { return info_.async; }
  bool compact_palettes() const { return info_.compact_palettes; }

 private:
  Skinning() = default;
  void append_ranges(const crowd::UpdateGroup& visible_group, std::span<const SkinnedRange> group);
  void count(const crowd::Plan& plan);

  std::span<const Model> models_;
  SkinningInfo info_;
  SkinningProperties properties_;
  std::unique_ptr<SkinningStrategy> strategy_;
  std::vector<SkinnedRange> ranges_;
  std::vector<std::vector<SkinnedRange>> group_ranges_;  // kept until the group is updated again
  SkinningCounters counters_;
};

}  // namespace sinew::app
