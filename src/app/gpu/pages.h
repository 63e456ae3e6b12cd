// Per-instance data in buffers of bounded size: no page is larger than a device can bind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/resources.h"

namespace sinew::app {

/// What one batch needs room for.
struct PageRequest {
  uint32_t instance_count = 0;
  VkDeviceSize bytes_per_instance = 0;
};

/// Instances of one batch that lie together in one page.
struct PageSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  uint32_t page = 0;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// Mapped buffers, and where in them each instance lies.
struct Pages {
  std::vector<Buffer> buffers;
  std::vector<PageSlice> runs;  // in the order of the batches, then of their instances
};

/// Lays the requests out in order. Fails where one instance alone is larger than a page.
Result<std::vector<PageSlice>> lay_out_pages(std::span<const PageRequest> requests, VkDeviceSize page_bytes,
                                             VkDeviceSize alignment);

/// Whether shaders read palettes as texels: drivers on the CPU check and fetch storage buffers lane by lane, and gather
/// texels.
bool reads_texels(const DeviceInfo& device);

/// As much as one buffer may hold: storage buffers are bound whole, and so are texels where they are read; never above
/// 256 MiB.
VkDeviceSize max_page_bytes(const DeviceInfo& device, VkBufferUsageFlags usage);

/// Lays out, and replaces the buffers that are too small: nobody may be reading them. Runs begin on whole cache lines
/// and on multiples of a matrix.
Status fit_pages(const Device& device, std::span<const PageRequest> requests, VkBufferUsageFlags usage,
                 const std::string& name, Pages& pages);

}  // namespace sinew::app
