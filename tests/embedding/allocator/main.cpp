// Callbacks with the shape of vmaCreateBuffer() and vmaDestroyBuffer(), and VkAllocationCallbacks. All that was taken
// must come back.
#include <vulkan/vulkan.h>

#include <cstdlib>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

namespace {

using sinew::vulkan::Allocation;
using sinew::vulkan::BufferUse;

struct Allocator {
  const Host& host;
  VkDeviceSize allocated = 0, total = 0;  // bytes, now and ever
  int objects = 0, objects_total = 0;
};

struct Memory {
  VkDeviceMemory handle;
  VkDeviceSize size_bytes;
};

VkResult allocate(void* user_data, const VkBufferCreateInfo& info, BufferUse use, Allocation* out) {
  auto& allocator = *static_cast<Allocator*>(user_data);
  const VkDevice device = allocator.host.device;
  must(vkCreateBuffer(device, &info, nullptr, &out->buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, out->buffer, &needs);
  const bool is_mapped = use != BufferUse::kDevice;
  const VkMemoryPropertyFlags wanted = is_mapped
                                           ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                           : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = memory_type(allocator.host.physical_device, needs.memoryTypeBits, wanted)};
  auto* const memory = new Memory{VK_NULL_HANDLE, needs.size};
  must(vkAllocateMemory(device, &memory_info, nullptr, &memory->handle), "vkAllocateMemory");
  must(vkBindBufferMemory(device, out->buffer, memory->handle, 0), "vkBindBufferMemory");
  if (is_mapped) must(vkMapMemory(device, memory->handle, 0, VK_WHOLE_SIZE, 0, &out->mapped), "vkMapMemory");
  out->allocation = memory;
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(allocator.host.physical_device, &types);
  out->memory_properties = types.memoryTypes[memory_info.memoryTypeIndex].propertyFlags;
  allocator.allocated += needs.size, allocator.total += needs.size;
  return VK_SUCCESS;
}

void release(void* user_data, const Allocation& allocation) {
  auto& allocator = *static_cast<Allocator*>(user_data);
  auto* const memory = static_cast<Memory*>(allocation.allocation);
  vkDestroyBuffer(allocator.host.device, allocation.buffer, nullptr);
  vkFreeMemory(allocator.host.device, memory->handle, nullptr);
  allocator.allocated -= memory->size_bytes;
  delete memory;
}

void* VKAPI_CALL host_allocate(void* user_data, size_t size, size_t alignment, VkSystemAllocationScope) {
  auto& allocator = *static_cast<Allocator*>(user_data);
  ++allocator.objects, ++allocator.objects_total;
  return std::aligned_alloc(alignment < 16 ? 16 : alignment, (size + 63) / 64 * 64);
}
void VKAPI_CALL host_free(void* user_data, void* memory) {
  if (memory == nullptr) return;
  --static_cast<Allocator*>(user_data)->objects;
  std::free(memory);
}
void* VKAPI_CALL host_reallocate(void* user_data, void* old, size_t size, size_t alignment,
                                 VkSystemAllocationScope scope) {
  if (old == nullptr) return host_allocate(user_data, size, alignment, scope);
  if (size == 0) return host_free(user_data, old), nullptr;
  return std::realloc(old, size);
}

}  // namespace

int main() {
  const VkInstance instance = make_instance(vkCreateInstance);
  const sinew::Character tube = make_tube();
  int code = 0;
  {
    Host host(instance);
    Allocator allocator{host};
    const VkAllocationCallbacks callbacks = {.pUserData = &allocator,
                                             .pfnAllocation = host_allocate,
                                             .pfnReallocation = host_reallocate,
                                             .pfnFree = host_free,
                                             .pfnInternalAllocation = nullptr,
                                             .pfnInternalFree = nullptr};
    sinew::vulkan::SkinnerInfo info = copied_vertices(vkGetInstanceProcAddr);
    info.allocator = {&allocator, allocate, release};
    info.allocation_callbacks = &callbacks;
    code = skin_tube(host, info, tube, evaluated(tube));
    std::printf("%d bytes allocated, %d not freed; %d objects of the driver, %d not freed\n", int(allocator.total),
                int(allocator.allocated), allocator.objects_total, allocator.objects);
    if (allocator.total == 0 || allocator.allocated != 0) code = 1;
    if (allocator.objects_total == 0 || allocator.objects != 0) code = 1;
  }
  vkDestroyInstance(instance, nullptr);
  return code;
}
