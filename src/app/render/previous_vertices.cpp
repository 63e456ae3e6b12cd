#include "render/previous_vertices.h"

#include <utility>

namespace sinew::app {

void PreviousVertices::begin(const Device& device, const crowd::Plan& plan, std::span<const SkinnedRange> ranges,
                             const ParallelFor& parallel_for) {
  std::swap(now_, before_);
  now_.resize(plan.posed_meshes.size());
  for_each_index(parallel_for, uint32_t(ranges.size()), [&](uint32_t r) {
    const SkinnedRange& range = ranges[r];
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = range.vertices;
    VkDeviceAddress next = vkGetBufferDeviceAddress(device.handle, &info) + range.vertices_offset;
    const auto addresses =
        std::span(now_).subspan(plan.batches[range.batch].first_mesh + range.first_mesh, range.mesh_count);
    for (VkDeviceAddress& address : addresses) {
      address = next;
      next += range.vertex_count * sizeof(SkinnedVertex);
    }
  });
}

}  // namespace sinew::app
