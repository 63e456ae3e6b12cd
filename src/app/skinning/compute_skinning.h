// Skinning by the library's compute pass: every vertex once a frame, before all draws.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "skinning/model_skinner.h"
#include "skinning/skinning_strategy.h"

namespace sinew::app {

class ComputeSkinning final : public SkinningStrategy {
 public:
  static SkinningProperties properties(const SkinningInfo& info);

  /// `device` must outlive it. With async compute the pass is recorded for a submission of its own.
  static Result<std::unique_ptr<SkinningStrategy>> create(const Device& device, std::span<const Model> models,
                                                          const SkinningInfo& info);

  Status begin_frame(const vulkan::Frame& frame) override;
  Status update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                      std::vector<SkinnedRange>& ranges) override;
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info) override;
  PageCopies copies() const override;
  uint64_t dispatches() const override;
  StaticReads static_reads() const override;
  Status reload_kernel(std::span<const uint32_t> spirv) override;
  uint64_t device_bytes() const override { return models_.device_bytes(); }

 private:
  ComputeSkinning(ModelSkinner models, const ParallelFor& parallel_for)
      : models_(std::move(models)), parallel_for_(parallel_for) {}

  ModelSkinner models_;
  ParallelFor parallel_for_;
  std::vector<vulkan::Batch> wanted_;  // of one update group; keeps its memory
};

}  // namespace sinew::app
