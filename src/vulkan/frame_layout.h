// Where each instance of a frame lies: slices of instances in pages. Arithmetic only; no Vulkan object is touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

/// The instances of a batch, and the bytes of one instance, which fit in a page. Where the bytes of one kind are 0, the
/// batch takes no room in pages of that kind.
struct BatchSize {
  uint32_t instance_count = 0;
  VkDeviceSize instance_vertex_bytes = 0, instance_palette_bytes = 0;
  VkDeviceSize instance_compact_bytes = 0, instance_expanded_bytes = 0;  // compact palettes; as matrices
};

/// A position in a page. `offset` is in bytes.
struct PageOffset {
  uint32_t page = 0;
  VkDeviceSize offset = 0;
};

/// Instances of one batch that are contiguous in one page of each kind. The position is 0 in
/// pages in which the batch takes no room.
struct PageSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  PageOffset vertices, palettes, compact, expanded;
};

/// What slices begin at multiples of, in bytes.
struct SliceAlignment {
  VkDeviceSize palettes = 1, vertices = 1;  // of palettes of all kinds; of vertices
};

struct FrameLayout {
  std::vector<PageSlice> slices;  // ordered by batch, then by instance
  std::vector<VkDeviceSize> vertex_pages, palette_pages, compact_pages, expanded_pages;  // used bytes of each page
};

/// Replaces `layout`, whose lists keep their memory. Fills pages of at most `page_bytes` in order. The layout depends
/// on the other arguments alone.
SINEW_API void lay_out_frame(std::span<const BatchSize> batches, VkDeviceSize page_bytes,
                             const SliceAlignment& alignment, FrameLayout& layout);

/// Enlarges the pages of the layout of `batches`, so that each layout of at most so many instances of each batch fits.
/// Where there are several pages, fewer instances may need more: they are divided into other slices.
SINEW_API void make_room_for_fewer(std::span<const BatchSize> batches, VkDeviceSize page_bytes,
                                   const SliceAlignment& alignment, FrameLayout& layout);

}  // namespace sinew::vulkan::internal
