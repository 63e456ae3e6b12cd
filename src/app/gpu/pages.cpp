#include "gpu/pages.h"

#include <algorithm>

namespace sinew::app {
namespace {

constexpr VkDeviceSize kAlignment = 192;  // of 64-byte cache lines, and of matrices
constexpr VkDeviceSize kMaxPageBytes = VkDeviceSize(256) << 20;

VkDeviceSize align_up(VkDeviceSize value, VkDeviceSize alignment) {
  return (value + alignment - 1) / alignment * alignment;
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

Result<std::vector<PageSlice>> lay_out_pages(std::span<const PageRequest> requests, VkDeviceSize page_bytes,
                                             VkDeviceSize alignment) {
  std::vector<PageSlice> runs;
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
      runs.push_back({batch, first, count, page, offset, count * request.bytes_per_instance});
      used = offset + runs.back().size_bytes;
      first += count;
    }
  }
  return runs;
}

Status fit_pages(const Device& device, std::span<const PageRequest> requests, VkBufferUsageFlags usage,
                 const std::string& name, Pages& pages) {
  const VkDeviceSize page_bytes = max_page_bytes(device.info, usage);
  auto runs = lay_out_pages(requests, page_bytes, kAlignment);
  if (!runs) return runs.error();
  pages.runs = std::move(*runs);
  for (size_t i = 0; i < pages.runs.size(); ++i) {
    const PageSlice& run = pages.runs[i];
    const bool last_of_page = i + 1 == pages.runs.size() || pages.runs[i + 1].page != run.page;
    if (!last_of_page) continue;
    if (run.page >= pages.buffers.size()) pages.buffers.resize(run.page + 1);
    const BufferSpec spec{run.offset + run.size_bytes, page_bytes, usage, name + "[" + std::to_string(run.page) + "]"};
    if (Status fits = fit_upload_buffer(device, spec, pages.buffers[run.page]); !fits) return fits;
  }
  return {};
}

}  // namespace sinew::app
