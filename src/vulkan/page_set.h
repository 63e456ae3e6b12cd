// Pages that grow with the crowd, and shrink only when the crowd is far smaller: a frame of about the same size as the
// last frame allocates nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"

namespace sinew::vulkan::internal {

/// How the pages of one set are created.
struct PageKind {
  BufferUse use = BufferUse::kDevice;
  VkBufferUsageFlags usage = 0;
  VkDeviceSize max_bytes = 0;  // limit of the spare room in a page that grows
  // The debug name of page i is NAME[first_index + i * index_step]: sets with one name interleave their indices.
  std::string name;
  uint32_t first_index = 0, index_step = 1;
};

/// Pages that are created, but not yet in their set. Page i of the set is kept where `pages` has no buffer at index i.
struct NewPages {
  std::vector<Buffer> pages;
  bool replaces_all = false;

  bool has(size_t i) const { return i < pages.size() && pages[i]; }
};

class PageSet {
 public:
  /// Creates the pages that are missing or too small for `sizes` (bytes of each page). Does not change the set. Where
  /// less than a quarter of the set's bytes is needed, all pages are created anew.
  Result<NewPages> make_missing(BufferAllocator& allocator, std::span<const VkDeviceSize> sizes,
                                const PageKind& kind) const;

  /// Page `i` as it is after adopt(fresh).
  const Buffer& page_after(const NewPages& fresh, size_t i) const { return fresh.has(i) ? fresh.pages[i] : pages_[i]; }

  /// Moves the new pages into the set. The replaced pages go to `deferred`, with `last_frame` as the last frame that
  /// used them. Cannot fail after make_room() and deferred.make_room(page_count()).
  void make_room(const NewPages& fresh) { pages_.reserve(fresh.pages.size()); }
  void adopt(NewPages fresh, uint64_t last_frame, DeferredFrees& deferred);

  const Buffer& page(size_t i) const { return pages_[i]; }
  size_t page_count() const { return pages_.size(); }
  VkDeviceSize size_bytes() const;

 private:
  std::vector<Buffer> pages_;
};

}  // namespace sinew::vulkan::internal
