#include "upload.h"

namespace sinew::vulkan::internal {

Result<StaticMesh> stage_mesh(BufferAllocator& allocator, MeshPages& pages, const Mesh& mesh, const MeshLayout& layout,
                              const MeshInfo& info) {
  Result<MeshAllocation> data = pages.take(layout.size_bytes());
  if (!data) return data.error();
  Result<Buffer> staging = allocator.make({BufferUse::kStaging, layout.size_bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                                          "sinew.staging[" + info.name + "]");
  if (!staging) return staging.error();
  const uint32_t first_element = uint32_t(data->offset() / kElementBytes);
  const bool compact = info.palettes.format == PaletteFormat::kCompact;
  const uint32_t stride = uint32_t(stride_of(info.palette_size, info.weight_count, compact));
  write_mesh_data(mesh, layout, {first_element, stride, weights_row(info.palette_size), info.box},
                  {static_cast<uint32_t*>(staging->mapped()), layout.size_bytes() / sizeof(uint32_t)});

  StaticMesh result;
  result.name = info.name;
  result.data = std::move(*data);
  result.staging = std::move(*staging);
  result.chunks = chunk_table(layout, first_element);
  result.vertex_count = layout.vertex_count;
  result.palette_size = info.palette_size;
  result.influence_quads = layout.influence_quads;
  result.target_count = info.target_count;
  result.palette_stride = stride;
  result.dual_quaternions = mesh.blend == Blend::kDualQuaternion;
  result.palettes = info.palettes.format;
  if (compact) result.compact_scale = info.palettes.scale;
  result.morph_blocks = info.target_count == 0 ? 0 : layout.morphs.first_element;
  return result;
}

void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh) {
  const VkBufferCopy region = {0, mesh.data.offset(), mesh.data.size_bytes()};
  table.CmdCopyBuffer(cmd, mesh.staging.handle(), mesh.data.page().buffer.handle(), 1, &region);
  mesh.data.page().written = true;
}

}  // namespace sinew::vulkan::internal
