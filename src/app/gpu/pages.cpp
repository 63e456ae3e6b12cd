#include "gpu/pages.h"

#include <algorithm>

#include "sinew/asset/math.h"

namespace sinew::app {
namespace {

constexpr VkDeviceSize kAlignment = 192;  // 3 cache lines of 64 bytes, 4 matrices of 48 bytes
constexpr VkDeviceSize kMaxPageBytes = VkDeviceSize(256) << 20;

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

Result<std::vector<PageSlice>> lay_out_pages(std::span<const PageRequest> requests, VkDeviceSize page_bytes,
                                             VkDeviceSize alignment) {
  std::vector<PageSlice> slices;
  uint32_t page = 0;
  VkDeviceSize used = 0;
  for (uint32_t batch = 0; batch < requests.size(); ++batch) {
    const PageRequest& request = requests[batch];
    if (request.bytes_per_instance > page_bytes)
      return Error{ErrorCode::kUnsupported, "one character is larger than a buffer of the device can be"};
    for (uint32_t first = 0; first < request.instance_count;) {
      const VkDeviceSize offset = align_up(used, alignment);
      const VkDeviceSize fit = offset < page_bytes ? (page_bytes - offset) / request.bytes_per_instance : 0;
      const uint32_t count = uint32_t(std::min<VkDeviceSize>(fit, request.instance_count - first));
      if (count == 0) {
        ++page, used = 0;
        continue;
      }
      slices.push_back({batch, first, count, page, offset, count * request.bytes_per_instance});
      used = offset + slices.back().size_bytes;
      first += count;
    }
  }
  return slices;
}

Status fit_pages(const Device& device, std::span<const PageRequest> requests, VkBufferUsageFlags usage,
                 const std::string& name, Pages& pages) {
  const VkDeviceSize page_bytes = max_page_bytes(device.info, usage);
  auto slices = lay_out_pages(requests, page_bytes, kAlignment);
  if (!slices) return slices.error();
  pages.slices = std::move(*slices);
  for (size_t i = 0; i < pages.slices.size(); ++i) {
    const PageSlice& slice = pages.slices[i];
    const bool last_of_page = i + 1 == pages.slices.size() || pages.slices[i + 1].page != slice.page;
    if (!last_of_page) continue;
    if (slice.page >= pages.buffers.size()) pages.buffers.resize(slice.page + 1);
    const BufferSpec spec{slice.offset + slice.size_bytes, page_bytes, usage,
                          name + "[" + std::to_string(slice.page) + "]"};
    if (Status fits = fit_upload_buffer(device, spec, pages.buffers[slice.page]); !fits) return fits;
  }
  return {};
}

}  // namespace sinew::app
