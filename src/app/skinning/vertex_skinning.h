// Skinning in the vertex shader, again in every pass: draws read pages of palettes, and static meshes.
#pragma once

#include <memory>
#include <optional>

#include "skinning/group_pages.h"
#include "skinning/host_palettes.h"
#include "skinning/model_skinner.h"
#include "skinning/skinning_strategy.h"

namespace sinew::app {

class VertexSkinning final : public SkinningStrategy {
 public:
  static SkinningProperties properties(const SkinningInfo& info);

  /// `device` and `models` must outlive it. Uploads the meshes, and waits for the device.
  static Result<std::unique_ptr<SkinningStrategy>> create(const Device& device, std::span<const Model> models,
                                                          const SkinningInfo& info);

  Status update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                      std::vector<SkinnedRange>& ranges) override;
  void convert_palettes(const crowd::Plan& plan, std::span<const SkinnedRange> ranges) override;
  vulkan::MeshBuffer static_mesh(uint32_t mesh) const override;
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo&) override { palettes_.record(cmd); }
  PageCopies copies() const override { return palettes_.copies(); }
  uint64_t device_bytes() const override { return meshes_.device_bytes() + palettes_.device_bytes(); }

 private:
  VertexSkinning(const Device& device, std::span<const Model> models, const SkinningInfo& info, ModelSkinner meshes);

  std::span<const Model> models_;
  ModelSkinner meshes_;  // skins nothing: it only holds the static meshes
  GroupPages palettes_;
  // With dual quaternions, the evaluators write here, and convert_palettes() writes the pages.
  std::optional<HostPalettes> matrices_;
  ThreadPool* pool_ = nullptr;
};

}  // namespace sinew::app
