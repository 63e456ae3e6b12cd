// Buffers with bound memory: from the host's allocator, or from memory blocks that the library allocates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_table.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

class BufferAllocator;
struct MemoryBlock;

/// The part of a memory block that a buffer occupies. `block` is null for buffers of the host's allocator.
struct Suballocation {
  MemoryBlock* block = nullptr;
  VkDeviceSize offset = 0;
};

/// Owns a buffer and its memory; move-only. The destructor frees both. The allocator must outlive the buffer.
class Buffer {
 public:
  Buffer() = default;
  /// Allocation::memory_properties may be 0: unknown.
  Buffer(BufferAllocator& allocator, const Allocation& allocation, const Suballocation& suballocation,
         VkDeviceSize size_bytes)
      : allocator_(&allocator), allocation_(allocation), suballocation_(suballocation), size_bytes_(size_bytes) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer();

  explicit operator bool() const { return allocator_ != nullptr; }
  VkBuffer handle() const { return allocation_.buffer; }
  void* mapped() const { return allocation_.mapped; }
  VkDeviceSize size_bytes() const { return size_bytes_; }
  /// Whether the memory is known to be other than device-local.
  bool is_remote() const {
    return allocation_.memory_properties != 0 &&
           (allocation_.memory_properties & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == 0;
  }
  VkBufferView texels() const { return texels_.get(); }  // vec4, as far as the device's limit; null without texel usage

 private:
  friend class BufferAllocator;
  void swap(Buffer& other) noexcept;

  BufferAllocator* allocator_ = nullptr;
  Allocation allocation_;
  Suballocation suballocation_;
  VkDeviceSize size_bytes_ = 0;
  Owned<VkBufferView> texels_;
};

/// What make() creates. `size_bytes` is not 0.
struct BufferRequest {
  BufferUse use = BufferUse::kDevice;
  VkDeviceSize size_bytes = 0;
  VkBufferUsageFlags usage = 0;  // VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT adds a view of vec4
};

/// Creates and frees buffers. Externally synchronized. `table` must outlive the allocator.
class BufferAllocator {
 public:
  BufferAllocator(const DeviceTable& table, const SkinnerInfo& info);
  BufferAllocator(const BufferAllocator&) = delete;
  BufferAllocator& operator=(const BufferAllocator&) = delete;
  ~BufferAllocator();

  /// Creates a buffer and binds its memory; maps it unless kDevice. `name` is its debug name, and begins the error.
  /// Fails out of memory, and with kInvalidArgument where the host's allocator breaks its contract.
  Result<Buffer> make(const BufferRequest& request, const std::string& name);

  /// Whether device-local memory is faster for the device than other memory.
  bool prefers_device_local() const { return table_.has_own_memory; }

  /// Device memory in the library's blocks, unused parts included. 0 with the host's allocator.
  VkDeviceSize block_bytes() const;

 private:
  friend class Buffer;

  Status make_texels(Buffer& buffer, const std::string& name);
  Result<Buffer> from_host(const VkBufferCreateInfo& info, BufferUse use);
  Result<Buffer> from_blocks(const VkBufferCreateInfo& info, BufferUse use);
  Result<Suballocation> find_suballocation(BufferUse use, const VkMemoryRequirements& needs);
  Result<Suballocation> suballocate(uint32_t type, BufferUse use, const VkMemoryRequirements& needs);
  Result<MemoryBlock*> make_block(uint32_t type, BufferUse use, VkDeviceSize size_bytes);
  VkDeviceSize spare_block_bytes(BufferUse use) const;
  void free_suballocation(const Suballocation& suballocation);
  void free(const Allocation& allocation, const Suballocation& suballocation);

  const DeviceTable& table_;
  AllocatorCallbacks host_;
  std::vector<uint32_t> queue_families_;
  bool device_address_ = false;
  std::vector<std::unique_ptr<MemoryBlock>> blocks_;
};

}  // namespace sinew::vulkan::internal
