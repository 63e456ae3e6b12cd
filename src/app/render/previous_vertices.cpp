#include "render/previous_vertices.h"

#include <utility>

#include "sinew/asset/skinned_vertex.h"

namespace sinew::app {

void PreviousVertices::begin(const Device& device, const Skinning& skinning, const ParallelFor& parallel_for) {
  std::swap(now_, before_);
  now_.resize(skinning.plan().posed_meshes.size());
  const std::span<const PlacedRange> ranges = skinning.ranges();
  for_each_index(parallel_for, uint32_t(ranges.size()), [&](uint32_t r) {
    const InstanceRange& range = *ranges[r].range;
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = range.vertices;
    VkDeviceAddress next = vkGetBufferDeviceAddress(device.handle, &info) + range.vertices_offset;
    for (VkDeviceAddress& address : std::span(now_).subspan(ranges[r].first_mesh, range.instance_count)) {
      address = next;
      next += range.vertex_count * sizeof(SkinnedVertex);
    }
  });
}

}  // namespace sinew::app
