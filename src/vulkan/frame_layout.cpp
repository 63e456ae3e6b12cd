#include "frame_layout.h"

#include <algorithm>

namespace sinew::vulkan::internal {
namespace {

/// Allocates from pages of one kind, front to back.
class PageFiller {
 public:
  PageFiller(std::vector<VkDeviceSize>& pages, VkDeviceSize page_bytes, VkDeviceSize alignment)
      : pages_(pages), page_bytes_(page_bytes), alignment_(alignment) {}

  /// How many elements fit in the current page, which is a new one if the last is full.
  VkDeviceSize make_room(VkDeviceSize element_bytes) {
    if (room(element_bytes) == 0) pages_.push_back(0);
    return room(element_bytes);
  }

  PageOffset take(VkDeviceSize size_bytes) {
    if (size_bytes == 0) return {};
    const PageOffset start{uint32_t(pages_.size() - 1), next_offset()};
    pages_.back() = start.offset + size_bytes;
    return start;
  }

 private:
  /// How many elements still fit in the current page. Elements of 0 bytes need no page.
  VkDeviceSize room(VkDeviceSize element_bytes) const {
    if (element_bytes == 0) return UINT64_MAX;
    const VkDeviceSize begin = pages_.empty() ? page_bytes_ : next_offset();
    return begin < page_bytes_ ? (page_bytes_ - begin) / element_bytes : 0;
  }

  VkDeviceSize next_offset() const { return align_up(pages_.back(), alignment_); }

  std::vector<VkDeviceSize>& pages_;
  VkDeviceSize page_bytes_, alignment_;
};

/// What pages of one kind have to do with batches.
struct Kind {
  std::vector<VkDeviceSize> FrameLayout::*pages;
  VkDeviceSize BatchSize::*instance_bytes;
  VkDeviceSize SliceAlignment::*alignment;
};

constexpr Kind kKinds[] = {
    {&FrameLayout::vertex_pages, &BatchSize::instance_vertex_bytes, &SliceAlignment::vertices},
    {&FrameLayout::palette_pages, &BatchSize::instance_palette_bytes, &SliceAlignment::palettes},
    {&FrameLayout::compact_pages, &BatchSize::instance_compact_bytes, &SliceAlignment::palettes},
    {&FrameLayout::expanded_pages, &BatchSize::instance_expanded_bytes, &SliceAlignment::palettes},
};

}  // namespace

void lay_out_frame(std::span<const BatchSize> batches, VkDeviceSize page_bytes, const SliceAlignment& alignment,
                   FrameLayout& layout) {
  layout.slices.clear();
  for (const Kind& kind : kKinds) (layout.*kind.pages).clear();
  PageFiller vertices(layout.vertex_pages, page_bytes, alignment.vertices);
  PageFiller palettes(layout.palette_pages, page_bytes, alignment.palettes);
  PageFiller compact(layout.compact_pages, page_bytes, alignment.palettes);
  PageFiller expanded(layout.expanded_pages, page_bytes, alignment.palettes);
  for (uint32_t b = 0; b < batches.size(); ++b) {
    const BatchSize& batch = batches[b];
    for (uint32_t first = 0; first < batch.instance_count;) {
      const VkDeviceSize room = std::min(
          {vertices.make_room(batch.instance_vertex_bytes), palettes.make_room(batch.instance_palette_bytes),
           compact.make_room(batch.instance_compact_bytes), expanded.make_room(batch.instance_expanded_bytes)});
      const uint32_t count = uint32_t(std::min<VkDeviceSize>(room, batch.instance_count - first));
      layout.slices.push_back({b, first, count, vertices.take(count * batch.instance_vertex_bytes),
                               palettes.take(count * batch.instance_palette_bytes),
                               compact.take(count * batch.instance_compact_bytes),
                               expanded.take(count * batch.instance_expanded_bytes)});
      first += count;
    }
  }
}

/// Without gaps, fewer instances would end earlier. A gap before a slice is less than its alignment, one at the end of
/// a page less than an instance.
void make_room_for_fewer(std::span<const BatchSize> batches, VkDeviceSize page_bytes, const SliceAlignment& alignment,
                         FrameLayout& layout) {
  size_t slices = batches.size();
  bool has_several_pages = false;
  for (const Kind& kind : kKinds) {
    const size_t count = (layout.*kind.pages).size();
    slices += count + 1;  // a slice ends with its batch or with a page, and there may be a page more
    has_several_pages = has_several_pages || count > 1;
  }
  if (!has_several_pages) return;  // each batch is one slice, of fewer instances too
  for (const Kind& kind : kKinds) {
    std::vector<VkDeviceSize>& pages = layout.*kind.pages;
    if (pages.empty()) continue;
    VkDeviceSize largest = 0;
    for (const BatchSize& batch : batches) largest = std::max(largest, batch.*kind.instance_bytes);
    const VkDeviceSize gaps = slices * alignment.*kind.alignment + (pages.size() + 1) * largest;
    const VkDeviceSize last = pages.back() + gaps;
    std::fill(pages.begin(), pages.end(), page_bytes);
    if (last <= page_bytes) {
      pages.back() = last;
    } else {
      pages.push_back(std::min(page_bytes, gaps));
    }
  }
}

}  // namespace sinew::vulkan::internal
