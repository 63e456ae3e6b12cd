// Pages that grow with the crowd, and shrink only when the crowd is far smaller: a frame of about the same size as the
// last frame allocates nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"

namespace sinew::vulkan::internal {

/// A page. Where the device would read it over the bus, it may have a copy in device-local memory. A page whose
/// palettes the device converts has one everywhere.
struct PageBuffers {
  Buffer buffer, copy;             // `copy` has the size of `buffer`, or is empty
  VkDeviceSize written_bytes = 0;  // of mapped memory: from the start, how much has been written ever

  const Buffer& read_by_device() const { return copy ? copy : buffer; }
};

/// How the pages of one set are created.
struct PageKind {
  BufferUse use = BufferUse::kDevice;
  VkBufferUsageFlags usage = 0;
  VkDeviceSize max_bytes = 0;               // limit of the spare room in a page that grows
  VkBufferUsageFlags copy_usage = 0;        // of the device-local copy of each page that needs one; 0: no page has one
  std::span<const uint8_t> must_copy = {};  // 1 for each page that must have a copy; pages beyond the end need not
  // The debug name of page i is NAME[first_index + i * index_step]: sets with one name interleave their indices.
  std::string name;
  uint32_t first_index = 0, index_step = 1;
};

/// Pages that are created, but not yet in their set. Page i of the set is kept where `pages` has no buffer at index i.
struct NewPages {
  std::vector<PageBuffers> pages;
  bool replaces_all = false;

  bool has(size_t i) const { return i < pages.size() && pages[i].buffer; }
};

class PageSet {
 public:
  /// Creates the pages that are missing or too small for `sizes` (bytes of each page). Does not change the set. Where
  /// less than a quarter of the bytes that it would have is needed, all pages are created anew. A page that gets no
  /// device-local memory for its copy does without it, unless it must have one.
  Result<NewPages> make_missing(BufferAllocator& allocator, std::span<const VkDeviceSize> sizes,
                                const PageKind& kind) const;

  /// Page `i` as it is after adopt(fresh).
  const PageBuffers& page_after(const NewPages& fresh, size_t i) const {
    return fresh.has(i) ? fresh.pages[i] : pages_[i];
  }

  /// Moves the new pages into the set. The replaced pages go to `deferred`, with `last_frame` as the last frame that
  /// used them. Cannot fail after make_room() and deferred.make_room(buffer_count()).
  void make_room(const NewPages& fresh) { pages_.reserve(fresh.pages.size()); }
  void adopt(NewPages fresh, uint64_t last_frame, DeferredFrees& deferred);

  const Buffer& page(size_t i) const { return pages_[i].buffer; }
  VkDeviceSize& written_bytes(size_t i) { return pages_[i].written_bytes; }
  size_t buffer_count() const { return 2 * pages_.size(); }  // at most: of pages and copies
  VkDeviceSize size_bytes() const;                           // without copies
  VkDeviceSize copy_bytes() const;

 private:
  std::vector<PageBuffers> pages_;
};

}  // namespace sinew::vulkan::internal
