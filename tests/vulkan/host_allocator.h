#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "heap_faults.h"
#include "sinew/vulkan/skinner_info.h"
#include "vulkan/test_device.h"

namespace sinew::test {

/// A host's allocator: each buffer has memory of its own.
struct HostAllocator {
  TestDevice& device;
  int live = 0;
  size_t moved_bytes = 0;     // offset of the mapped address from the buffer's first byte; not 0: wrong on purpose
  bool gives_buffers = true;  // false: VK_SUCCESS without a buffer, wrong on purpose
  VkMemoryPropertyFlags of_palettes = 0, of_device = 0;                 // what it says of its memory
  std::function<VkResult(const VkBufferCreateInfo&)> on_allocate = {};  // may fail
  std::function<void(VkBuffer)> on_free = {};

  vulkan::AllocatorCallbacks callbacks() { return {this, allocate, free}; }

  static VkResult allocate(void* self, const VkBufferCreateInfo& info, vulkan::BufferUse use, vulkan::Allocation* out) {
    const HeapFaultPause pause;
    auto& host = *static_cast<HostAllocator*>(self);
    const VkResult wanted = host.on_allocate ? host.on_allocate(info) : VK_SUCCESS;
    if (wanted != VK_SUCCESS) return wanted;
    ++host.live;
    out->allocation = &host;
    if (!host.gives_buffers) return VK_SUCCESS;
    const TestBuffer made =
        host.device.make_buffer(info.size + host.moved_bytes, info.usage, use != vulkan::BufferUse::kDevice);
    void* const mapped = made.mapped == nullptr ? nullptr : static_cast<char*>(made.mapped) + host.moved_bytes;
    *out = {made.handle, mapped, new TestBuffer(made)};
    if (use == vulkan::BufferUse::kPalettes) out->memory_properties = host.of_palettes;
    if (use == vulkan::BufferUse::kDevice) out->memory_properties = host.of_device;
    return VK_SUCCESS;
  }
  static void free(void* self, const vulkan::Allocation& allocation) {
    auto& host = *static_cast<HostAllocator*>(self);
    --host.live;
    if (host.on_free) host.on_free(allocation.buffer);
    if (allocation.allocation == self) return;
    const auto* made = static_cast<TestBuffer*>(allocation.allocation);
    EXPECT_EQ(made->handle, allocation.buffer);
    host.device.free_buffer(*made);
    delete made;
  }
};

}  // namespace sinew::test
