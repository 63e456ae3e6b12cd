// Per-instance data in pages: buffers that are no larger than the device can bind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/host.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::app {

/// The instances of a batch, and the bytes of one instance, which are not 0.
struct PageRequest {
  uint32_t instance_count = 0;
  VkDeviceSize bytes_per_instance = 0;
};

/// Instances of one batch that are contiguous in one page.
struct PageSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  uint32_t page = 0;
  VkDeviceSize offset = 0;  // bytes
};

/// Mapped buffers, and where each instance lies in them. Where the device would read a buffer over the bus, it has a
/// copy in device-local memory, as in sinew/vulkan/skinner_info.h.
struct Pages {
  std::vector<Buffer> buffers;
  std::vector<Buffer> copies;            // of each buffer; empty where there is none
  std::vector<VkDeviceSize> used_bytes;  // of each buffer
  std::vector<PageSlice> slices;         // ordered by batch, then by instance

  const Buffer& read_by_device(size_t page) const { return copies[page].handle ? copies[page] : buffers[page]; }
};

/// Copies of pages that were recorded.
struct PageCopies {
  uint64_t count = 0, bytes = 0;
};

/// Whether shaders read palettes as texels. True for CPU devices: their drivers check and load storage buffers lane by
/// lane, but gather texels of all lanes.
bool reads_texels(const DeviceInfo& device);

/// The maximum size of a buffer: a storage buffer is bound as a whole, and so are texels where shaders read them. At
/// most 256 MiB.
VkDeviceSize max_page_bytes(const DeviceInfo& device, VkBufferUsageFlags usage);

/// Lays the requests out in order and replaces buffers that are too small; their contents are lost. No frame in flight
/// may read `pages`. Slices begin at multiples of a cache line (64 bytes) and of a matrix (48 bytes). Fails with
/// kUnsupported where one instance is larger than a page.
Status fit_pages(const Device& device, std::span<const PageRequest> requests, VkBufferUsageFlags usage,
                 const std::string& name, Pages& pages);

/// Records the copies of `pages` and adds them to `copies`, without a barrier. Frames that read them have completed.
void record_copies(VkCommandBuffer cmd, const Pages& pages, PageCopies& copies);

/// Records the barrier from copies to those who read them.
void copies_barrier(VkCommandBuffer cmd, const vulkan::Consumers& readers);

}  // namespace sinew::app
