// Pages that grow with the crowd and shrink long after it: a frame of about the last one's size allocates nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"

namespace sinew::vulkan {

/// How pages of one set are made.
struct PageKind {
  BufferUse use = BufferUse::kDevice;
  VkBufferUsageFlags usage = 0;
  VkDeviceSize max_bytes = 0;
  // Page i is NAME[first_index + i * index_step]: sets that share a name interleave.
  std::string name;
  uint32_t first_index = 0, index_step = 1;
};

/// Pages to take a set's place, made but not yet in it: an empty one keeps what the set has.
struct NewPages {
  std::vector<Buffer> pages;
  bool replaces_all = false;
};

class PageSet {
 public:
  /// What is missing for pages of `sizes`. Changes nothing. All is made anew where a quarter of the set is enough.
  Result<NewPages> make_missing(BufferAllocator& allocator, std::span<const VkDeviceSize> sizes,
                                const PageKind& kind) const;

  /// Page `i` as it will be after adopt().
  const Buffer& page_after(const NewPages& fresh, size_t i) const {
    return fresh.pages[i] ? fresh.pages[i] : pages_[i];
  }

  /// Puts the new pages in; those they replace were last used by `last_frame`. Cannot fail after make_room(), and with
  /// room for page_count() in `retired`.
  void make_room(const NewPages& fresh) { pages_.reserve(fresh.pages.size()); }
  void adopt(NewPages fresh, uint64_t last_frame, DeferredFrees& deferred);

  const Buffer& page(size_t i) const { return pages_[i]; }
  size_t page_count() const { return pages_.size(); }
  VkDeviceSize size_bytes() const;

 private:
  std::vector<Buffer> pages_;
};

}  // namespace sinew::vulkan
