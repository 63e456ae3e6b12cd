#include "page_set.h"

#include <algorithm>
#include <numeric>

namespace sinew::vulkan::internal {
namespace {

/// Half as large again within `max_bytes`, so that a crowd that grows slowly seldom needs new pages.
VkDeviceSize grown_size(VkDeviceSize current, VkDeviceSize needed, VkDeviceSize max_bytes) {
  return std::max(needed, std::min(current + current / 2, max_bytes));
}

}  // namespace

Result<NewPages> PageSet::make_missing(BufferAllocator& allocator, std::span<const VkDeviceSize> sizes,
                                       const PageKind& kind) const {
  const VkDeviceSize needed = std::accumulate(sizes.begin(), sizes.end(), VkDeviceSize{0});
  NewPages fresh{{}, needed < size_bytes() / 4};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const VkDeviceSize current = i < pages_.size() && !fresh.replaces_all ? pages_[i].size_bytes() : 0;
    if (current >= sizes[i]) continue;
    const BufferRequest request{kind.use, grown_size(current, sizes[i], kind.max_bytes), kind.usage};
    Result<Buffer> page = allocator.make(request, indexed(kind.name, kind.first_index + i * kind.index_step));
    if (!page) return page.error();
    fresh.pages.resize(i + 1);
    fresh.pages[i] = std::move(*page);
  }
  return fresh;
}

void PageSet::adopt(NewPages fresh, uint64_t last_frame, DeferredFrees& deferred) {
  for (size_t i = 0; i < pages_.size(); ++i) {
    const bool replaced = fresh.replaces_all || fresh.has(i);
    if (replaced) deferred.add(last_frame, std::move(pages_[i]));
  }
  pages_.resize(fresh.replaces_all ? fresh.pages.size() : std::max(fresh.pages.size(), pages_.size()));
  for (size_t i = 0; i < fresh.pages.size(); ++i) {
    if (fresh.pages[i]) pages_[i] = std::move(fresh.pages[i]);
  }
}

VkDeviceSize PageSet::size_bytes() const {
  return std::accumulate(pages_.begin(), pages_.end(), VkDeviceSize{0},
                         [](VkDeviceSize sum, const Buffer& page) { return sum + page.size_bytes(); });
}

}  // namespace sinew::vulkan::internal
