// Skinning on the CPU, by the library's CPU skinner: draws read the vertices from mapped pages.
#pragma once

#include <memory>

#include "skinning/group_pages.h"
#include "skinning/host_palettes.h"
#include "skinning/skinning_strategy.h"

namespace sinew::app {

class CpuSkinning final : public SkinningStrategy {
 public:
  static SkinningProperties properties(const SkinningInfo& info);

  /// `device` and `models` must outlive it.
  static Result<std::unique_ptr<SkinningStrategy>> create(const Device& device, std::span<const Model> models,
                                                          const SkinningInfo& info);

  Status update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                      std::vector<SkinnedRange>& ranges) override;
  std::optional<double> skin(const crowd::Plan& plan, std::span<const SkinnedRange> ranges) override;
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo&) override { vertices_.record(cmd); }
  PageCopies copies() const override { return vertices_.copies(); }
  uint64_t device_bytes() const override { return vertices_.device_bytes(); }

 private:
  CpuSkinning(const Device& device, std::span<const Model> models, const SkinningInfo& info);
  void skin_range(const SkinnedRange& range, const crowd::PosedBatch& batch);

  std::span<const Model> models_;
  GroupPages vertices_;
  HostPalettes palettes_;
  std::vector<Vec3> positions_, normals_;  // of one posed mesh
};

}  // namespace sinew::app
