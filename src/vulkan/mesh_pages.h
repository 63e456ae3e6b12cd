// Pages of static data that meshes share, so that one dispatch can serve them all.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "buffer.h"

namespace sinew::vulkan {

struct MeshPage;
class MeshPages;

/// A mesh's part of a page. Given back with its owner; the pages must outlive it.
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
  bool written = false;  // a copy into it was recorded: what was written may be in use
  std::vector<std::pair<VkDeviceSize, VkDeviceSize>> used;  // begin and end, ascending
};

class MeshPages {
 public:
  MeshPages(BufferAllocator& allocator, const DeviceTable& table) : allocator_(allocator), table_(table) {}
  MeshPages(const MeshPages&) = delete;

  /// Room for `size_bytes`, at a multiple of what a storage buffer's offset needs. The first page that has it, or a new
  /// one: each as large as all before, so that there are few.
  Result<MeshAllocation> take(VkDeviceSize size_bytes);

 private:
  friend class MeshAllocation;

  Result<MeshPage*> make_page(VkDeviceSize size_bytes);
  void give_back(MeshPage& page, VkDeviceSize offset);

  BufferAllocator& allocator_;
  const DeviceTable& table_;
  std::vector<std::unique_ptr<MeshPage>> pages_;
  uint32_t made_ = 0;  // pages so far
};

}  // namespace sinew::vulkan
