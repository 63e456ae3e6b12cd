// Pages of static mesh data. Meshes share pages, so that one dispatch can skin several meshes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "buffer.h"

namespace sinew::vulkan::internal {

struct MeshPage;
class MeshPages;

/// A mesh's part of a page; move-only. The destructor gives it back. The MeshPages must outlive it.
class MeshAllocation {
 public:
  MeshAllocation() = default;
  MeshAllocation(MeshPages& pages, MeshPage& page, VkDeviceSize offset, VkDeviceSize size_bytes)
      : pages_(&pages), page_(&page), offset_(offset), size_bytes_(size_bytes) {}
  MeshAllocation(MeshAllocation&& other) noexcept { swap(other); }
  MeshAllocation& operator=(MeshAllocation&& other) noexcept {
    MeshAllocation(std::move(other)).swap(*this);
    return *this;
  }
  ~MeshAllocation();

  MeshPage& page() const { return *page_; }
  VkDeviceSize offset() const { return offset_; }
  VkDeviceSize size_bytes() const { return size_bytes_; }

 private:
  void swap(MeshAllocation& other) noexcept;

  MeshPages* pages_ = nullptr;
  MeshPage* page_ = nullptr;
  VkDeviceSize offset_ = 0, size_bytes_ = 0;
};

struct MeshPage {
  Buffer buffer;
  bool written = false;  // a copy into the page was recorded: kernels may be reading the page
  std::vector<std::pair<VkDeviceSize, VkDeviceSize>> used;  // begin and end in bytes, ascending
};

/// Externally synchronized. An empty page is freed.
class MeshPages {
 public:
  MeshPages(BufferAllocator& allocator, const DeviceTable& table) : allocator_(allocator), table_(table) {}
  MeshPages(const MeshPages&) = delete;

  /// Allocates `size_bytes` at an offset that a storage buffer may be bound at: in the first page with room, else in a
  /// new page. A new page is as large as all pages before it together, so that pages stay few. Fails out of memory.
  Result<MeshAllocation> take(VkDeviceSize size_bytes);

 private:
  friend class MeshAllocation;

  Result<MeshPage*> make_page(VkDeviceSize size_bytes);
  void give_back(MeshPage& page, VkDeviceSize offset);

  BufferAllocator& allocator_;
  const DeviceTable& table_;
  std::vector<std::unique_ptr<MeshPage>> pages_;
  uint32_t made_ = 0;  // pages created so far, for debug names
};

}  // namespace sinew::vulkan::internal
