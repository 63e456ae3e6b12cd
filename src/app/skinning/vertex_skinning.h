// Skinning in the vertex shader, again in every pass: draws read pages of palettes, and static meshes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/vulkan/skinner.h"
#include "skinning/host_palettes.h"
#include "skinning/page_backend.h"
#include "system/thread_pool.h"

namespace sinew::app {

class VertexSkinning final : public PageBackend {
 public:
  /// `device` and `pool` must outlive it. Fails where models are blended differently.
  static Result<std::unique_ptr<VertexSkinning>> create(const Device& device, std::span<const Model> models,
                                                        uint32_t frames_in_flight, uint32_t update_groups,
                                                        ThreadPool& pool);

  Result<VkDeviceSize> add_mesh(const BackendMesh& mesh) override;
  /// Uploads the meshes that were added, and waits for the device.
  Status upload_meshes();

  void skin(std::span<const PlacedRange> updated) override;
  vulkan::MeshBuffer static_mesh(uint32_t mesh) const override { return meshes_.mesh_buffer(ids_[mesh]); }
  uint64_t device_bytes() const override;

 protected:
  VkDeviceSize instance_bytes(const InstanceRange& of_one) const override {
    return of_one.palette_stride * sizeof(Matrix3x4);
  }
  void place(VkBuffer page, VkDeviceSize offset, std::byte* mapped, InstanceRange& range) override;
  void finish(uint32_t group, std::span<InstanceRange> ranges) override;

 private:
  VertexSkinning(const Device& device, vulkan::Skinner meshes, uint32_t frames_in_flight, uint32_t update_groups,
                 ThreadPool& pool);

  const Device& device_;
  vulkan::Skinner meshes_;  // skins nothing: it only holds the static meshes
  std::vector<vulkan::MeshId> ids_;
  // With dual quaternions, the evaluators write here, and skin() splits the matrices into the pages.
  std::optional<HostPalettes> matrices_;
  ThreadPool& pool_;
};

}  // namespace sinew::app
