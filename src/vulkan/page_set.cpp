#include "page_set.h"

#include <algorithm>
#include <numeric>

namespace sinew::vulkan::internal {
namespace {

/// Half as large again within `max_bytes`, so that a crowd that grows slowly seldom needs new pages. A page that is
/// large enough keeps its size.
VkDeviceSize grown_size(VkDeviceSize current, VkDeviceSize needed, VkDeviceSize max_bytes) {
  if (current >= needed) return current;
  return std::max(needed, std::min(current + current / 2, max_bytes));
}

bool must_copy(const PageKind& kind, size_t page) { return page < kind.must_copy.size() && kind.must_copy[page] != 0; }

/// The copy that the device reads instead of `page`. Empty where the page is device-local, where the device has no
/// faster memory, or none of it is left.
Result<Buffer> make_copy(BufferAllocator& allocator, const Buffer& page, VkBufferUsageFlags usage,
                         const std::string& name, bool must) {
  if (must) return allocator.make({BufferUse::kDevice, page.size_bytes(), usage}, name);
  if (usage == 0 || !allocator.prefers_device_local() || !page.is_remote()) return Buffer();
  Result<Buffer> copy = allocator.make({BufferUse::kDevice, page.size_bytes(), usage}, name);
  const bool is_useless = copy ? copy->is_remote() : copy.error().code == ErrorCode::kOutOfMemory;
  return is_useless ? Buffer() : std::move(copy);
}

Result<PageBuffers> make_page(BufferAllocator& allocator, VkDeviceSize size_bytes, const PageKind& kind, size_t i) {
  const uint64_t index = kind.first_index + i * kind.index_step;
  Result<Buffer> buffer = allocator.make({kind.use, size_bytes, kind.usage}, indexed(kind.name, index));
  if (!buffer) return buffer.error();
  Result<Buffer> copy =
      make_copy(allocator, *buffer, kind.copy_usage, indexed(kind.name + "_copy", index), must_copy(kind, i));
  if (!copy) return copy.error();
  return PageBuffers{std::move(*buffer), std::move(*copy)};
}

template <class SizeOf>
VkDeviceSize sum_of(const std::vector<PageBuffers>& pages, const SizeOf& size_of) {
  VkDeviceSize sum = 0;
  for (const PageBuffers& page : pages) sum += size_of(page);
  return sum;
}

}  // namespace

Result<NewPages> PageSet::make_missing(BufferAllocator& allocator, std::span<const VkDeviceSize> sizes,
                                       const PageKind& kind) const {
  const VkDeviceSize needed = std::accumulate(sizes.begin(), sizes.end(), VkDeviceSize{0});
  VkDeviceSize kept = size_bytes();  // what the set would have, so that the same sizes never replace it later
  for (size_t i = 0; i < sizes.size(); ++i) {
    const VkDeviceSize current = i < pages_.size() ? pages_[i].buffer.size_bytes() : 0;
    kept += grown_size(current, sizes[i], kind.max_bytes) - current;
  }
  NewPages fresh{{}, needed < kept / 4};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const VkDeviceSize current = i < pages_.size() && !fresh.replaces_all ? pages_[i].buffer.size_bytes() : 0;
    const bool lacks_copy = must_copy(kind, i) && (current == 0 || !pages_[i].copy);
    if (current >= sizes[i] && !lacks_copy) continue;
    Result<PageBuffers> page = make_page(allocator, grown_size(current, sizes[i], kind.max_bytes), kind, i);
    if (!page) return page.error();
    fresh.pages.resize(i + 1);
    fresh.pages[i] = std::move(*page);
  }
  return fresh;
}

void PageSet::adopt(NewPages fresh, uint64_t last_frame, DeferredFrees& deferred) {
  for (size_t i = 0; i < pages_.size(); ++i) {
    const bool replaced = fresh.replaces_all || fresh.has(i);
    if (!replaced) continue;
    deferred.add(last_frame, std::move(pages_[i].buffer));
    if (pages_[i].copy) deferred.add(last_frame, std::move(pages_[i].copy));
  }
  pages_.resize(fresh.replaces_all ? fresh.pages.size() : std::max(fresh.pages.size(), pages_.size()));
  for (size_t i = 0; i < fresh.pages.size(); ++i) {
    if (fresh.has(i)) pages_[i] = std::move(fresh.pages[i]);
  }
}

VkDeviceSize PageSet::size_bytes() const {
  return sum_of(pages_, [](const PageBuffers& page) { return page.buffer.size_bytes(); });
}

VkDeviceSize PageSet::copy_bytes() const {
  return sum_of(pages_, [](const PageBuffers& page) { return page.copy.size_bytes(); });
}

}  // namespace sinew::vulkan::internal
