// Nothing but the runtime, which allocates with the host's VMA. VMA ends the program if something is not freed.
#include <vk_mem_alloc.h>
#include <vulkan/vulkan.h>

#include "common/host.h"
#include "common/skin_crowd.h"

namespace {

using sinew::vulkan::Allocation;
using sinew::vulkan::BufferUse;

constexpr VkDeviceSize kMappedAlignment = sinew::vulkan::kMappedAlignment;

struct Memory {
  VmaAllocator allocator = VK_NULL_HANDLE;
  int buffers = 0;
};

VkResult allocate(void* user_data, const VkBufferCreateInfo& info, BufferUse use, Allocation* out) {
  auto& memory = *static_cast<Memory*>(user_data);
  VmaAllocationCreateInfo wanted = {};
  wanted.usage = use == BufferUse::kDevice ? VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE : VMA_MEMORY_USAGE_AUTO;
  if (use != BufferUse::kDevice) {
    wanted.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT | VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT;
    wanted.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  }
  VmaAllocation allocation = VK_NULL_HANDLE;
  VmaAllocationInfo found = {};
  const VkResult made = vmaCreateBufferWithAlignment(memory.allocator, &info, &wanted, kMappedAlignment, &out->buffer,
                                                     &allocation, &found);
  if (made != VK_SUCCESS) return made;
  ++memory.buffers;
  out->allocation = allocation;
  out->mapped = found.pMappedData;
  vmaGetMemoryTypeProperties(memory.allocator, found.memoryType, &out->memory_properties);
  return VK_SUCCESS;
}

void release(void* user_data, const Allocation& allocation) {
  auto& memory = *static_cast<Memory*>(user_data);
  vmaDestroyBuffer(memory.allocator, allocation.buffer, static_cast<VmaAllocation>(allocation.allocation));
  --memory.buffers;
}

}  // namespace

int main() {
  return with_host(make_instance(vkCreateInstance), [](Host& host) {
    Memory memory;
    VmaAllocatorCreateInfo info = {};
    info.instance = host.instance, info.physicalDevice = host.physical_device, info.device = host.device;
    info.vulkanApiVersion = VK_API_VERSION_1_2;
    must(vmaCreateAllocator(&info, &memory.allocator), "vmaCreateAllocator");
    sinew::vulkan::SkinnerInfo skinner = copied_vertices(vkGetInstanceProcAddr);
    skinner.allocator = {&memory, allocate, release};
    int code = skin_crowd(host, skinner);
    if (memory.buffers != 0) std::printf("%d buffers were not freed\n", memory.buffers), code = 1;
    vmaDestroyAllocator(memory.allocator);
    return code;
  });
}
