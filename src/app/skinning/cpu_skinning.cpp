#include "skinning/cpu_skinning.h"

#include "sinew/asset/cpu_skin.h"

namespace sinew::app {
namespace {

PagesInfo vertex_pages(uint32_t frames_in_flight, uint32_t update_groups, bool pulled) {
  const VkBufferUsageFlags usage = pulled ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  return {usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, "sinew.cpu_vertices.",
          pulled ? vulkan::kVertexPulling : vulkan::kVertexInput, frames_in_flight, update_groups};
}

}  // namespace

CpuSkinning::CpuSkinning(const Device& device, uint32_t frames_in_flight, uint32_t update_groups, bool pulled)
    : PageBackend(device, vertex_pages(frames_in_flight, update_groups, pulled)), palettes_(update_groups) {}

void CpuSkinning::skin(std::span<const PlacedRange> updated) {
  for (const PlacedRange& placed : updated)
    skin_range(*placed.range, *mesh(placed.mesh).mesh, reinterpret_cast<SkinnedVertex*>(mapped(placed)));
}

void CpuSkinning::skin_range(const InstanceRange& range, const Mesh& mesh, SkinnedVertex* out) {
  positions_.resize(range.vertex_count), normals_.resize(range.vertex_count);
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const auto palette = range.palettes.subspan(size_t(i) * range.palette_stride, range.palette_size);
    const auto weights = range.weights.empty()
                             ? std::span<float>()
                             : range.weights.subspan(size_t(i) * range.weight_stride, range.target_count);
    skin_on_cpu(mesh, palette, positions_, normals_, {}, weights);
    for (uint32_t v = 0; v < range.vertex_count; ++v)
      *out++ = {{positions_[v].x, positions_[v].y, positions_[v].z}, encode_normal(normals_[v])};
  }
}

}  // namespace sinew::app
