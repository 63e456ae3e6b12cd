// The layer's place in the chain: what it knows of every instance and device, and the functions below it.
#pragma once

#define VK_ENABLE_BETA_EXTENSIONS  // VK_KHR_portability_subset
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "profile.h"

namespace sinew::simulator {

// clang-format off
#define SIMULATOR_INSTANCE_FUNCTIONS(X) \
  X(CreateDevice) X(DestroyInstance) X(EnumerateDeviceExtensionProperties) X(GetPhysicalDeviceFeatures) \
  X(GetPhysicalDeviceFeatures2) X(GetPhysicalDeviceFormatProperties) X(GetPhysicalDeviceFormatProperties2) \
  X(GetPhysicalDeviceImageFormatProperties) X(GetPhysicalDeviceImageFormatProperties2) \
  X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceMemoryProperties2) X(GetPhysicalDeviceProperties) \
  X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceQueueFamilyProperties) \
  X(GetPhysicalDeviceQueueFamilyProperties2) X(GetPhysicalDeviceSurfaceSupportKHR)
#define SIMULATOR_DEVICE_FUNCTIONS(X) \
  X(AcquireNextImageKHR) X(AllocateMemory) X(CmdPipelineBarrier) X(CreateBuffer) X(CreateCommandPool) X(CreateImage) \
  X(CreateQueryPool) X(CreateSwapchainKHR) X(DestroyDevice) X(DestroyQueryPool) X(DeviceWaitIdle) X(FreeMemory) \
  X(GetBufferMemoryRequirements) X(GetBufferMemoryRequirements2) X(GetDeviceQueue) X(GetFenceStatus) \
  X(GetImageMemoryRequirements) X(GetImageMemoryRequirements2) X(GetQueryPoolResults) X(MapMemory) X(QueuePresentKHR) \
  X(QueueSubmit) X(QueueWaitIdle) X(SetDebugUtilsObjectNameEXT) X(WaitForFences) X(WaitSemaphores)
// clang-format on

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  const Profile* profile = nullptr;
  PFN_vkGetInstanceProcAddr get = nullptr;
  PFN_GetPhysicalDeviceProcAddr get_physical = nullptr;
#define SIMULATOR_DECLARE(name) PFN_vk##name name = nullptr;
  SIMULATOR_INSTANCE_FUNCTIONS(SIMULATOR_DECLARE)
};

/// A queue of a simulated family. The loader writes its dispatch table into the first member.
struct Queue {
  void* dispatch = nullptr;
  uint32_t family = 0;
};

struct Memory {
  uint32_t heap = 0;
  VkDeviceSize size_bytes = 0;
  bool host_visible = true;
};

struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  const Profile* profile = nullptr;
  PFN_vkGetDeviceProcAddr get = nullptr;
  PFN_vkSetDeviceLoaderData set_loader_data = nullptr;
  SIMULATOR_DEVICE_FUNCTIONS(SIMULATOR_DECLARE)
#undef SIMULATOR_DECLARE

  VkQueue real_queue = VK_NULL_HANDLE;  // of the queues below
  std::deque<Queue> queues;
  std::mutex queue_mutex;  // several queues of the application are one real queue
  std::mutex mutex;        // of what follows
  std::map<VkDeviceMemory, Memory> memory;
  std::vector<VkDeviceSize> used_bytes;  // of each simulated heap
  std::set<VkQueryPool> timestamps;
  uint64_t first_tick = 0;  // of the first timestamp that was read
  bool lost = false;
  uint32_t calls = 0;  // of the function that loses the device
};

/// The instance of an instance or a physical device, and the device of a device, a queue or a command buffer.
Instance& instance_of(const void* handle);
Device& device_of(const void* handle);
const Profile& profile_of(const void* instance_or_physical_device);

Instance& add_instance(VkInstance instance);
void remove_instance(VkInstance instance);
Device& add_device(VkDevice device);
void remove_device(VkDevice device);

/// A function that the layer puts in front of the one below.
struct Entry {
  const char* name;
  PFN_vkVoidFunction function;
};
#define SIMULATOR_ENTRY(name, function) \
  { "vk" name, PFN_vkVoidFunction(function) }

std::span<const Entry> query_entries();   // what a physical device says of itself
std::span<const Entry> memory_entries();  // memory types, heaps that fill up, alignment
std::span<const Entry> queue_entries();   // queue families and queues
std::span<const Entry> timestamp_entries();

/// The struct of that type in a chain, or null.
template <class Struct>
Struct* find_in_chain(const void* chain, VkStructureType type) {
  auto* link = static_cast<VkBaseOutStructure*>(const_cast<void*>(chain));
  while (link != nullptr && link->sType != type) link = link->pNext;
  return reinterpret_cast<Struct*>(link);
}

}  // namespace sinew::simulator
