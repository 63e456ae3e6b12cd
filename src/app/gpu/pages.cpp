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
  lay_out_frame(sizes, page_bytes, {.palettes = kAlignment}, layout);
  return layout;
}

/// Fits the page, and its copy if the page was replaced. Without memory for the copy, the device reads the page.
Status fit_page(const Device& device, const BufferSpec& spec, Buffer& page, Buffer& copy) {
  if (page.handle && page.size_bytes >= spec.size_bytes) return {};
  copy = {};
  BufferSpec copied = spec;
  copied.usage |= device.info.has_own_memory() ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : 0;
  if (Status fits = fit_upload_buffer(device, copied, page); !fits) return fits;
  if (page.device_local || !device.info.has_own_memory()) return {};
  auto made = create_buffer(device, page.size_bytes, spec.usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kDevice,
                            std::string(spec.name) + ".copy");
  if (!made && made.error().code != ErrorCode::kOutOfMemory) return made.error();
  if (made && made->device_local) copy = std::move(*made);
  return {};
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
  pages.used_bytes = std::move(layout->palette_pages);
  const size_t page_count = std::max(pages.buffers.size(), pages.used_bytes.size());
  pages.buffers.resize(page_count), pages.copies.resize(page_count);
  for (size_t page = 0; page < pages.used_bytes.size(); ++page) {
    const std::string page_name = name + "[" + std::to_string(page) + "]";
    const BufferSpec spec{pages.used_bytes[page], page_bytes, usage, page_name};
    if (Status fits = fit_page(device, spec, pages.buffers[page], pages.copies[page]); !fits) return fits;
  }
  return {};
}

void record_copies(VkCommandBuffer cmd, const Pages& pages, PageCopies& copies) {
  for (size_t page = 0; page < pages.used_bytes.size(); ++page) {
    if (!pages.copies[page].handle) continue;
    const VkBufferCopy region{0, 0, pages.used_bytes[page]};
    vkCmdCopyBuffer(cmd, pages.buffers[page].get(), pages.copies[page].get(), 1, &region);
    ++copies.count, copies.bytes += region.size;
  }
}

void copies_barrier(VkCommandBuffer cmd, const vulkan::Consumers& readers) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = readers.accesses;
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, readers.stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace sinew::app
