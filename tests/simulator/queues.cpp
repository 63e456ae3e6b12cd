// Queue families of a profile: each has one queue, and all queues are the first queue of the real device. What neither
// the program nor validation calls with a queue is left to the driver: labels of queues, vkGetDeviceQueue2().
#include <algorithm>

#include "chain.h"
#include "lost.h"

namespace sinew::simulator {
namespace {

// --- families ---

void change(const Profile& profile, uint32_t family, VkQueueFamilyProperties& properties) {
  properties.timestampValidBits = std::min(properties.timestampValidBits, profile.timestamp_valid_bits);
  if (profile.families.empty()) return;
  properties.queueFlags = profile.families[family];
  properties.queueCount = 1;
}

VKAPI_ATTR void VKAPI_CALL get_families2(VkPhysicalDevice device, uint32_t* count, VkQueueFamilyProperties2* families) {
  const auto next = instance_of(device).GetPhysicalDeviceQueueFamilyProperties2;
  const Profile& profile = profile_of(device);
  uint32_t real_count = 1;
  if (profile.families.empty()) {
    next(device, count, families);
    real_count = *count;
  } else if (families != nullptr) {
    *count = std::min(*count, uint32_t(profile.families.size()));
    for (uint32_t i = 0; i < *count; ++i) next(device, &real_count, &families[i]);
  } else {
    *count = uint32_t(profile.families.size());
  }
  for (uint32_t i = 0; families != nullptr && i < *count; ++i) change(profile, i, families[i].queueFamilyProperties);
}

VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice device, uint32_t* count, VkQueueFamilyProperties* families) {
  std::vector<VkQueueFamilyProperties2> all(families != nullptr ? *count : 0,
                                            {VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2});
  get_families2(device, count, families != nullptr ? all.data() : nullptr);
  for (uint32_t i = 0; families != nullptr && i < *count; ++i) families[i] = all[i].queueFamilyProperties;
}

uint32_t real_family(const Profile& profile, uint32_t family) { return profile.families.empty() ? family : 0; }

VKAPI_ATTR VkResult VKAPI_CALL get_surface_support(VkPhysicalDevice device, uint32_t family, VkSurfaceKHR surface,
                                                   VkBool32* supported) {
  const uint32_t real = real_family(profile_of(device), family);
  const VkResult result = instance_of(device).GetPhysicalDeviceSurfaceSupportKHR(device, real, surface, supported);
  if (real != family && (profile_of(device).families[family] & VK_QUEUE_GRAPHICS_BIT) == 0) *supported = VK_FALSE;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice handle, const VkCommandPoolCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkCommandPool* pool) {
  Device& device = device_of(handle);
  VkCommandPoolCreateInfo real = *info;
  real.queueFamilyIndex = real_family(*device.profile, info->queueFamilyIndex);
  return device.CreateCommandPool(handle, &real, callbacks, pool);
}

/// Resources that several simulated families share belong to one real family.
template <class Info>
Info of_real_family(const Device& device, Info info, VkSharingMode Info::*mode) {
  if (!device.profile->families.empty()) info.*mode = VK_SHARING_MODE_EXCLUSIVE;
  return info;
}

VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice handle, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
  Device& device = device_of(handle);
  const VkBufferCreateInfo real = of_real_family(device, *info, &VkBufferCreateInfo::sharingMode);
  return device.CreateBuffer(handle, &real, callbacks, buffer);
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice handle, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* callbacks, VkImage* image) {
  Device& device = device_of(handle);
  const VkImageCreateInfo real = of_real_family(device, *info, &VkImageCreateInfo::sharingMode);
  return device.CreateImage(handle, &real, callbacks, image);
}

VKAPI_ATTR VkResult VKAPI_CALL create_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR* info,
                                                const VkAllocationCallbacks* callbacks, VkSwapchainKHR* swapchain) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkCreateSwapchainKHR")) return VK_ERROR_DEVICE_LOST;
  const VkSwapchainCreateInfoKHR real = of_real_family(device, *info, &VkSwapchainCreateInfoKHR::imageSharingMode);
  return device.CreateSwapchainKHR(handle, &real, callbacks, swapchain);
}

/// Ownership that passes from one simulated family to another stays where it is.
template <class Barrier>
std::vector<Barrier> in_real_family(const Barrier* barriers, uint32_t count) {
  std::vector<Barrier> real(barriers, barriers + count);
  for (Barrier& barrier : real) barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  return real;
}

VKAPI_ATTR void VKAPI_CALL pipeline_barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                            VkDependencyFlags flags, uint32_t memory_count,
                                            const VkMemoryBarrier* memory, uint32_t buffer_count,
                                            const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                                            const VkImageMemoryBarrier* images) {
  const Device& device = device_of(cmd);
  if (device.profile->families.empty()) {
    return device.CmdPipelineBarrier(cmd, from, to, flags, memory_count, memory, buffer_count, buffers, image_count,
                                     images);
  }
  const auto real_buffers = in_real_family(buffers, buffer_count);
  const auto real_images = in_real_family(images, image_count);
  device.CmdPipelineBarrier(cmd, from, to, flags, memory_count, memory, buffer_count, real_buffers.data(), image_count,
                            real_images.data());
}

// --- queues ---

void find_queue(VkDevice handle, uint32_t family, VkQueue* queue) {
  Device& device = device_of(handle);
  const std::lock_guard lock(device.mutex);
  for (Queue& known : device.queues) {
    if (known.family == family) *queue = reinterpret_cast<VkQueue>(&known);
    if (known.family == family) return;
  }
  if (device.real_queue == VK_NULL_HANDLE) device.GetDeviceQueue(handle, 0, 0, &device.real_queue);
  Queue& added = device.queues.emplace_back();
  added.family = family;
  device.set_loader_data(handle, &added);
  *queue = reinterpret_cast<VkQueue>(&added);
}

VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice handle, uint32_t family, uint32_t index, VkQueue* queue) {
  const Device& device = device_of(handle);
  if (device.profile->families.empty()) return device.GetDeviceQueue(handle, family, index, queue);
  find_queue(handle, family, queue);
}

VkQueue real_queue(const Device& device, VkQueue queue) {
  return device.profile->families.empty() ? queue : device.real_queue;
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  Device& device = device_of(queue);
  if (is_lost(device, "vkQueueSubmit")) return VK_ERROR_DEVICE_LOST;
  const std::lock_guard lock(device.queue_mutex);
  return device.QueueSubmit(real_queue(device, queue), count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_idle(VkQueue queue) {
  Device& device = device_of(queue);
  if (is_lost(device, "vkQueueWaitIdle")) return VK_ERROR_DEVICE_LOST;
  const std::lock_guard lock(device.queue_mutex);
  return device.QueueWaitIdle(real_queue(device, queue));
}

VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR* info) {
  Device& device = device_of(queue);
  if (is_lost(device, "vkQueuePresentKHR")) return VK_ERROR_DEVICE_LOST;
  const std::lock_guard lock(device.queue_mutex);
  return device.QueuePresentKHR(real_queue(device, queue), info);
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT* info) {
  const Device& device = device_of(handle);
  if (info->objectType == VK_OBJECT_TYPE_QUEUE && !device.profile->families.empty()) return VK_SUCCESS;
  return device.SetDebugUtilsObjectNameEXT(handle, info);
}

}  // namespace

std::span<const Entry> queue_entries() {
  static const Entry kEntries[] = {SIMULATOR_ENTRY("GetPhysicalDeviceQueueFamilyProperties", get_families),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceQueueFamilyProperties2", get_families2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceQueueFamilyProperties2KHR", get_families2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceSurfaceSupportKHR", get_surface_support),
                                   SIMULATOR_ENTRY("CreateCommandPool", create_pool),
                                   SIMULATOR_ENTRY("CreateBuffer", create_buffer),
                                   SIMULATOR_ENTRY("CreateImage", create_image),
                                   SIMULATOR_ENTRY("CreateSwapchainKHR", create_swapchain),
                                   SIMULATOR_ENTRY("CmdPipelineBarrier", pipeline_barrier),
                                   SIMULATOR_ENTRY("GetDeviceQueue", get_queue),
                                   SIMULATOR_ENTRY("QueueSubmit", submit),
                                   SIMULATOR_ENTRY("QueueWaitIdle", wait_idle),
                                   SIMULATOR_ENTRY("QueuePresentKHR", present),
                                   SIMULATOR_ENTRY("SetDebugUtilsObjectNameEXT", set_name)};
  return kEntries;
}

}  // namespace sinew::simulator
