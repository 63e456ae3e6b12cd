#include "gpu/pages.h"

#include <algorithm>

#include "vulkan/frame_layout.h"

namespace sinew::app {
namespace {

constexpr VkDeviceSize kAlignment = 192;  // 3 cache lines of 64 bytes, 4 matrices of 48 bytes
constexpr VkDeviceSize kMaxPageBytes = VkDeviceSize(256) << 20;

using vulkan::internal::BatchSize;
using vulkan::internal::FrameLayout;

/// The pages are those of palettes in the layout, whatever they will hold. There are no others.
Result<FrameLayout> lay_out(std::span<const PageRequest> requests, VkDeviceSize page_bytes) {
  std::vector<BatchSize> sizes;
  for (const PageRequest& request : requests) {
    if (request.bytes_per_instance > page_bytes)
      return Error{ErrorCode::kUnsupported, "one character is larger than a buffer of the device can be"};
    sizes.push_back({.instance_count = request.instance_count,
                     .instance_vertex_bytes = 0,
                     .instance_palette_bytes = request.bytes_per_instance});
  }
  FrameLayout layout;
  lay_out_frame(sizes, page_bytes, kAlignment, layout);
  return layout;
}

}  // namespace

bool reads_texels(const DeviceInfo& device) { return device.is_cpu(); }

VkDeviceSize max_page_bytes(const DeviceInfo& device, VkBufferUsageFlags usage) {
  VkDeviceSize bytes = kMaxPageBytes;
  if (usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
    bytes = std::min<VkDeviceSize>(bytes, device.limits.maxStorageBufferRange);
  if (usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT && reads_texels(device))
    bytes = std::min(bytes, VkDeviceSize(device.limits.maxTexelBufferElements) * sizeof(float[4]));
  return bytes;
}

Status fit_pages(const Device& device, std::span<const PageRequest> requests, VkBufferUsageFlags usage,
                 const std::string& name, Pages& pages) {
  const VkDeviceSize page_bytes = max_page_bytes(device.info, usage);
  auto layout = lay_out(requests, page_bytes);
  if (!layout) return layout.error();
  pages.slices.clear();
  for (const auto& slice : layout->slices) {
    pages.slices.push_back(
        {slice.batch, slice.first_instance, slice.instance_count, slice.palettes.page, slice.palettes.offset});
  }
  const std::vector<VkDeviceSize>& used_bytes = layout->palette_pages;
  if (pages.buffers.size() < used_bytes.size()) pages.buffers.resize(used_bytes.size());
  for (size_t page = 0; page < used_bytes.size(); ++page) {
    const std::string page_name = name + "[" + std::to_string(page) + "]";
    const BufferSpec spec{used_bytes[page], page_bytes, usage, page_name};
    if (Status fits = fit_upload_buffer(device, spec, pages.buffers[page]); !fits) return fits;
  }
  return {};
}

}  // namespace sinew::app
