// Where each instance of a frame goes: runs of instances in pages. Arithmetic only; no Vulkan object is touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan {

/// One instance's needs, and how many instances. Sizes are not 0 and fit a page.
struct BatchSize {
  uint32_t instance_count = 0;
  VkDeviceSize vertex_bytes = 0, palette_bytes = 0;
};

/// A place in a page.
struct PageOffset {
  uint32_t page = 0;
  VkDeviceSize offset = 0;
};

/// Instances of one batch, contiguous in one page of vertices and in one page of palettes: one dispatch.
struct PageSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  PageOffset vertices, palettes;
};

struct FrameLayout {
  std::vector<PageSlice> slices;                          // by batch, then by instance
  std::vector<VkDeviceSize> vertex_pages, palette_pages;  // bytes used of each
};

/// Fills pages of at most `page_bytes` in order; runs begin at multiples of `alignment`. Equal batches, equal layout.
FrameLayout lay_out_frame(std::span<const BatchSize> batches, VkDeviceSize page_bytes, VkDeviceSize alignment);

}  // namespace sinew::vulkan
