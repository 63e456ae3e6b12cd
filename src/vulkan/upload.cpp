#include "upload.h"

#include <cstring>

namespace sinew::vulkan::internal {

Result<StaticMesh> stage_mesh(BufferAllocator& allocator, MeshPages& pages, PackedMesh& mesh, const std::string& name) {
  const VkDeviceSize size_bytes = mesh.layout.size_bytes();
  Result<MeshAllocation> data = pages.take(size_bytes);
  if (!data) return data.error();
  Result<Buffer> staging = allocator.make({BufferUse::kStaging, size_bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                                          "sinew.staging[" + name + "]");
  if (!staging) return staging.error();
  mesh.placement.first_element = uint32_t(data->offset() / kElementBytes);
  write_chunks(mesh.layout, mesh.placement, mesh.words);
  std::memcpy(staging->mapped(), mesh.words.data(), size_bytes);

  StaticMesh result;
  result.name = name;
  result.data = std::move(*data);
  result.staging = std::move(*staging);
  result.chunks = chunk_table(mesh.layout, mesh.placement.first_element);
  result.vertex_count = mesh.layout.vertex_count;
  result.palette_size = mesh.palette_size;
  result.influence_quads = mesh.layout.influence_quads;
  result.target_count = mesh.target_count;
  result.palette_stride = mesh.placement.palette_stride;
  result.dual_quaternions = mesh.dual_quaternions;
  result.palettes = mesh.palettes.format;
  if (mesh.palettes.format == PaletteFormat::kCompact) result.compact_scale = mesh.palettes.scale;
  result.morph_blocks = mesh.target_count == 0 ? 0 : mesh.layout.morphs.first_element;
  return result;
}

void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh) {
  const VkBufferCopy region = {0, mesh.data.offset(), mesh.data.size_bytes()};
  table.CmdCopyBuffer(cmd, mesh.staging.handle(), mesh.data.page().buffer.handle(), 1, &region);
  mesh.data.page().written = true;
}

}  // namespace sinew::vulkan::internal
