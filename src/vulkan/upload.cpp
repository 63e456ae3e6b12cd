#include "upload.h"

#include "mesh_data.h"

namespace sinew::vulkan {

Result<StaticMesh> stage_mesh(BufferAllocator& allocator, const Mesh& mesh, const std::string& name) {
  const VkDeviceSize size_bytes = mesh_data_bytes(mesh);
  const VkBufferUsageFlags usage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  Result<Buffer> data = allocator.make({BufferUse::kDevice, size_bytes, usage}, "sinew.mesh[" + name + "]");
  if (!data) return data.error();
  Result<Buffer> staging = allocator.make({BufferUse::kStaging, size_bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                                          "sinew.staging[" + name + "]");
  if (!staging) return staging.error();
  write_mesh_data(mesh, {static_cast<uint32_t*>(staging->mapped()), size_bytes / sizeof(uint32_t)});

  StaticMesh result;
  result.name = name;
  result.data = std::move(*data);
  result.staging = std::move(*staging);
  result.vertex_count = mesh.vertex_count();
  result.influence_groups = influence_groups(mesh);
  return result;
}

void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh) {
  const VkBufferCopy region = {0, 0, mesh.data.size_bytes()};
  table.CmdCopyBuffer(cmd, mesh.staging.handle(), mesh.data.handle(), 1, &region);
}

}  // namespace sinew::vulkan
