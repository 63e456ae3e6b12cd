// Skinning on the CPU, by the library's CPU skinner: draws read the vertices from mapped pages.
#pragma once

#include <span>
#include <vector>

#include "sinew/asset/skinned_vertex.h"
#include "skinning/host_palettes.h"
#include "skinning/page_backend.h"

namespace sinew::app {

class CpuSkinning final : public PageBackend {
 public:
  /// `pulled`: draws read vertices from a storage buffer.
  CpuSkinning(const Device& device, uint32_t frames_in_flight, uint32_t update_groups, bool pulled);

  void skin(std::span<const PlacedRange> updated) override;

 protected:
  VkDeviceSize instance_bytes(const InstanceRange& of_one) const override {
    return VkDeviceSize(of_one.vertex_count) * of_one.vertex_bytes;
  }
  void place(VkBuffer page, VkDeviceSize offset, std::byte*, InstanceRange& range) override {
    range.vertices = page, range.vertices_offset = offset;
  }
  void finish(uint32_t group, std::span<InstanceRange> ranges) override { palettes_.place(group, ranges); }

 private:
  void skin_range(const InstanceRange& range, const Mesh& mesh, SkinnedVertex* out);

  HostPalettes palettes_;
  std::vector<Vec3> positions_, normals_;  // of one posed mesh
};

}  // namespace sinew::app
