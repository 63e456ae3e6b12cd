// Memory types of a profile: all stand for the first type of the real device, but each heap fills up, and memory that
// is not host-visible cannot be mapped.
#include <algorithm>
#include <cstdio>

#include "chain.h"
#include "lost.h"

namespace sinew::simulator {
namespace {

constexpr VkMemoryPropertyFlags kDefined =
    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
    VK_MEMORY_PROPERTY_HOST_CACHED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

void change(const Profile& profile, VkPhysicalDeviceMemoryProperties& memory) {
  if (profile.types.empty()) return;
  memory = {};
  memory.memoryTypeCount = uint32_t(profile.types.size());
  memory.memoryHeapCount = uint32_t(profile.heaps.size());
  std::copy(profile.types.begin(), profile.types.end(), memory.memoryTypes);
  std::copy(profile.heaps.begin(), profile.heaps.end(), memory.memoryHeaps);
}

VKAPI_ATTR void VKAPI_CALL get_memory(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* memory) {
  instance_of(device).GetPhysicalDeviceMemoryProperties(device, memory);
  change(profile_of(device), *memory);
}

VKAPI_ATTR void VKAPI_CALL get_memory2(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2* memory) {
  instance_of(device).GetPhysicalDeviceMemoryProperties2(device, memory);
  const Profile& profile = profile_of(device);
  change(profile, memory->memoryProperties);
  auto* budget = find_in_chain<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      memory->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  for (size_t i = 0; budget != nullptr && i < profile.heaps.size(); ++i) {
    budget->heapBudget[i] = profile.heaps[i].size;
  }
}

/// Takes the bytes from the heap of the type, where it has as many left.
VkResult take(Device& device, const VkMemoryAllocateInfo& info, Memory& memory) {
  const Profile& profile = *device.profile;
  memory.size_bytes = info.allocationSize;
  const VkDeviceSize limit = profile.max_memory_allocation_size;
  if (limit != 0 && info.allocationSize > limit) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (profile.types.empty()) return VK_SUCCESS;
  const VkMemoryType& type = profile.types[info.memoryTypeIndex];
  memory.heap = type.heapIndex;
  memory.host_visible = (type.propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  if ((type.propertyFlags & ~kDefined) != 0) {
    std::fprintf(stderr, "device simulator: memory of type %u, with a flag of no extension\n", info.memoryTypeIndex);
    return VK_ERROR_UNKNOWN;
  }
  const std::lock_guard lock(device.mutex);
  device.used_bytes.resize(profile.heaps.size());
  VkDeviceSize& used = device.used_bytes[type.heapIndex];
  if (used + info.allocationSize > profile.heaps[type.heapIndex].size) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  used += info.allocationSize;
  return VK_SUCCESS;
}

void give_back(Device& device, const Memory& memory) {
  if (!device.profile->types.empty()) device.used_bytes[memory.heap] -= memory.size_bytes;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice handle, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* result) {
  Device& device = device_of(handle);
  if (has_no_memory(device, "vkAllocateMemory")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  Memory memory;
  if (const VkResult taken = take(device, *info, memory); taken != VK_SUCCESS) return taken;
  VkMemoryAllocateInfo real = *info;
  if (!device.profile->types.empty()) real.memoryTypeIndex = 0;
  const VkResult allocated = device.AllocateMemory(handle, &real, callbacks, result);
  const std::lock_guard lock(device.mutex);
  if (allocated == VK_SUCCESS) {
    device.memory[*result] = memory;
  } else {
    give_back(device, memory);
  }
  return allocated;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
  Device& device = device_of(handle);
  {
    const std::lock_guard lock(device.mutex);
    const auto found = device.memory.find(memory);
    if (found != device.memory.end()) {
      give_back(device, found->second);
      device.memory.erase(found);
    }
  }
  device.FreeMemory(handle, memory, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                                   VkMemoryMapFlags flags, void** data) {
  Device& device = device_of(handle);
  if (has_no_memory(device, "vkMapMemory")) return VK_ERROR_MEMORY_MAP_FAILED;
  {
    const std::lock_guard lock(device.mutex);
    const auto found = device.memory.find(memory);
    if (found != device.memory.end() && !found->second.host_visible) return VK_ERROR_MEMORY_MAP_FAILED;
  }
  return device.MapMemory(handle, memory, offset, size, flags, data);
}

/// Every simulated type takes every buffer and image.
void change(const Profile& profile, VkMemoryRequirements& needs) {
  if (!profile.types.empty()) needs.memoryTypeBits = (1u << profile.types.size()) - 1;
}

void change_buffer(const Profile& profile, VkMemoryRequirements& needs) {
  change(profile, needs);
  if (profile.buffer_alignment == 0) return;
  needs.alignment = profile.buffer_alignment;
  needs.size = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
}

VKAPI_ATTR void VKAPI_CALL get_buffer_needs(VkDevice device, VkBuffer buffer, VkMemoryRequirements* needs) {
  device_of(device).GetBufferMemoryRequirements(device, buffer, needs);
  change_buffer(*device_of(device).profile, *needs);
}

VKAPI_ATTR void VKAPI_CALL get_buffer_needs2(VkDevice device, const VkBufferMemoryRequirementsInfo2* info,
                                             VkMemoryRequirements2* needs) {
  device_of(device).GetBufferMemoryRequirements2(device, info, needs);
  change_buffer(*device_of(device).profile, needs->memoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL get_image_needs(VkDevice device, VkImage image, VkMemoryRequirements* needs) {
  device_of(device).GetImageMemoryRequirements(device, image, needs);
  change(*device_of(device).profile, *needs);
}

VKAPI_ATTR void VKAPI_CALL get_image_needs2(VkDevice device, const VkImageMemoryRequirementsInfo2* info,
                                            VkMemoryRequirements2* needs) {
  device_of(device).GetImageMemoryRequirements2(device, info, needs);
  change(*device_of(device).profile, needs->memoryRequirements);
}

}  // namespace

std::span<const Entry> memory_entries() {
  static const Entry kEntries[] = {SIMULATOR_ENTRY("GetPhysicalDeviceMemoryProperties", get_memory),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceMemoryProperties2", get_memory2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceMemoryProperties2KHR", get_memory2),
                                   SIMULATOR_ENTRY("AllocateMemory", allocate),
                                   SIMULATOR_ENTRY("FreeMemory", free_memory),
                                   SIMULATOR_ENTRY("MapMemory", map),
                                   SIMULATOR_ENTRY("GetBufferMemoryRequirements", get_buffer_needs),
                                   SIMULATOR_ENTRY("GetBufferMemoryRequirements2", get_buffer_needs2),
                                   SIMULATOR_ENTRY("GetBufferMemoryRequirements2KHR", get_buffer_needs2),
                                   SIMULATOR_ENTRY("GetImageMemoryRequirements", get_image_needs),
                                   SIMULATOR_ENTRY("GetImageMemoryRequirements2", get_image_needs2),
                                   SIMULATOR_ENTRY("GetImageMemoryRequirements2KHR", get_image_needs2)};
  return kEntries;
}

}  // namespace sinew::simulator
