#include "mesh_pages.h"

#include <algorithm>
#include <optional>

namespace sinew::vulkan::internal {
namespace {

constexpr VkDeviceSize kMinPageBytes = VkDeviceSize{1} << 18;
constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

/// First fit. Returns the offset, or nothing where the page has no room.
std::optional<VkDeviceSize> take_from(MeshPage& page, VkDeviceSize size_bytes, VkDeviceSize alignment) {
  VkDeviceSize begin = 0;
  auto next = page.used.begin();
  for (; next != page.used.end() && begin + size_bytes > next->first; ++next) {
    begin = align_up(next->second, alignment);
  }
  if (begin + size_bytes > page.buffer.size_bytes()) return std::nullopt;
  page.used.insert(next, {begin, begin + size_bytes});
  return begin;
}

}  // namespace

MeshAllocation::~MeshAllocation() {
  if (pages_ != nullptr) pages_->give_back(*page_, offset_);
}

void MeshAllocation::swap(MeshAllocation& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(page_, other.page_);
  std::swap(offset_, other.offset_);
  std::swap(size_bytes_, other.size_bytes_);
}

Result<MeshAllocation> MeshPages::take(VkDeviceSize size_bytes) {
  for (const auto& page : pages_) {
    if (const auto offset = take_from(*page, size_bytes, table_.storage_alignment)) {
      return MeshAllocation(*this, *page, *offset, size_bytes);
    }
  }
  VkDeviceSize allocated = 0;
  for (const auto& page : pages_) allocated += page->buffer.size_bytes();
  const VkDeviceSize preferred_bytes =
      std::max(size_bytes, std::min(std::max(allocated, kMinPageBytes), table_.max_page_bytes));
  Result<MeshPage*> page = make_page(preferred_bytes);
  const bool out_of_memory = !page && page.error().code == ErrorCode::kOutOfMemory;
  if (out_of_memory && preferred_bytes > size_bytes) page = make_page(size_bytes);
  if (!page) return page.error();
  return MeshAllocation(*this, **page, *take_from(**page, size_bytes, table_.storage_alignment), size_bytes);
}

Result<MeshPage*> MeshPages::make_page(VkDeviceSize size_bytes) {
  pages_.reserve(pages_.size() + 1);
  auto page = std::make_unique<MeshPage>();
  page->used.reserve(1);
  Result<Buffer> buffer = allocator_.make({BufferUse::kDevice, size_bytes, kUsage}, indexed("sinew.mesh", made_));
  if (!buffer) return buffer.error();
  ++made_;
  page->buffer = std::move(*buffer);
  pages_.push_back(std::move(page));
  return pages_.back().get();
}

void MeshPages::give_back(MeshPage& page, VkDeviceSize offset) {
  std::erase_if(page.used, [&](const auto& part) { return part.first == offset; });
  if (!page.used.empty()) return;
  std::erase_if(pages_, [&](const auto& candidate) { return candidate.get() == &page; });
}

}  // namespace sinew::vulkan::internal
