// What a simulated device says of itself. A profile is data; the layer applies it everywhere alike.
#pragma once

#include <vulkan/vulkan_core.h>

#include <span>
#include <string>

namespace sinew::simulator {

/// A value of 0, an empty list and a null function leave the real device's answer.
struct Profile {
  const char* name = "";
  const char* description = "";

  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_MAX_ENUM;  // MAX_ENUM: the real one
  uint32_t api_version = 0;
  bool only_required_features = false;  // those that every device with Vulkan 1.2 has
  bool only_swapchain = false;          // the only extension of the device
  bool portability = false;             // VK_KHR_portability_subset

  std::span<const VkMemoryHeap> heaps;  // allocations are counted against their size
  std::span<const VkMemoryType> types;  // all stand for the real device's first type
  VkDeviceSize buffer_alignment = 0;
  VkDeviceSize max_memory_allocation_size = 0;
  void (*change_limits)(VkPhysicalDeviceLimits& limits) = nullptr;
  uint32_t max_draw_indirect_count = 0;

  std::span<const VkQueueFlags> families;  // one queue each; all stand for the real device's first queue
  uint32_t timestamp_valid_bits = 64;      // 64: the real device's
  std::span<const VkFormat> missing_formats;
};

/// Every profile, in the order in which `scripts/profiles --list` prints them.
std::span<const Profile> profiles();

/// The profile of that name, or null.
const Profile* find_profile(const std::string& name);

/// The lowest limits that the specification allows (Vulkan 1.2, "Required Limits"), where `limits` has more.
void lower_to_minimum(VkPhysicalDeviceLimits& limits);

}  // namespace sinew::simulator
