#include "lost.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace sinew::simulator {
namespace {

constexpr const char* kFunctions[] = {"vkQueueSubmit",     "vkQueueWaitIdle",       "vkDeviceWaitIdle",
                                      "vkWaitForFences",   "vkGetFenceStatus",      "vkWaitSemaphores",
                                      "vkQueuePresentKHR", "vkGetQueryPoolResults", "vkAcquireNextImageKHR",
                                      "vkAllocateMemory",  "vkMapMemory",           "vkCreateSwapchainKHR"};

struct LostCall {
  std::string function;
  uint32_t number = 0;
} g_lost_call;

VKAPI_ATTR VkResult VKAPI_CALL device_wait_idle(VkDevice handle) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkDeviceWaitIdle")) return VK_ERROR_DEVICE_LOST;
  const std::lock_guard lock(device.queue_mutex);
  return device.DeviceWaitIdle(handle);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice handle, uint32_t count, const VkFence* fences, VkBool32 all,
                                               uint64_t timeout) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkWaitForFences")) return VK_ERROR_DEVICE_LOST;
  return device.WaitForFences(handle, count, fences, all, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL get_fence_status(VkDevice handle, VkFence fence) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkGetFenceStatus")) return VK_ERROR_DEVICE_LOST;
  return device.GetFenceStatus(handle, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice handle, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkWaitSemaphores")) return VK_ERROR_DEVICE_LOST;
  return device.WaitSemaphores(handle, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL acquire(VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout,
                                       VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkAcquireNextImageKHR")) return VK_ERROR_DEVICE_LOST;
  return device.AcquireNextImageKHR(handle, swapchain, timeout, semaphore, fence, index);
}

}  // namespace

bool read_lost_call() {
  g_lost_call = {};
  const char* text = std::getenv("SINEW_DEVICE_LOST");
  if (text == nullptr || *text == '\0') return true;
  const std::string_view all(text);
  const size_t colon = all.find(':');
  const std::string function(all.substr(0, colon));
  const char* const end = text + all.size();
  uint32_t number = 1;
  bool valid = std::find(std::begin(kFunctions), std::end(kFunctions), function) != std::end(kFunctions);
  if (colon != std::string_view::npos) {
    const auto [stop, error] = std::from_chars(text + colon + 1, end, number);
    valid = valid && error == std::errc{} && stop == end && number > 0;
  }
  if (valid) return g_lost_call = {function, number}, true;
  std::string names;
  for (const char* name : kFunctions) names += std::string(names.empty() ? "" : ", ") + name;
  std::fprintf(stderr,
               "SINEW_DEVICE_LOST is '%s', and must be a function and the number of a call, as in "
               "vkQueueSubmit:3; the functions are %s\n",
               text, names.c_str());
  return false;
}

/// What the application has submitted is executed, since it may free everything once the device is lost.
bool is_lost(Device& device, const char* function) {
  const std::lock_guard lock(device.mutex);
  if (device.lost) return true;
  if (g_lost_call.function != function || ++device.calls < g_lost_call.number) return false;
  const std::lock_guard queue_lock(device.queue_mutex);
  device.DeviceWaitIdle(device.handle);
  return device.lost = true;
}

bool has_no_memory(Device& device, const char* function) {
  return g_lost_call.function == function && is_lost(device, function);
}

std::span<const Entry> wait_entries() {
  static const Entry kEntries[] = {
      SIMULATOR_ENTRY("DeviceWaitIdle", device_wait_idle),   SIMULATOR_ENTRY("WaitForFences", wait_for_fences),
      SIMULATOR_ENTRY("GetFenceStatus", get_fence_status),   SIMULATOR_ENTRY("WaitSemaphores", wait_semaphores),
      SIMULATOR_ENTRY("WaitSemaphoresKHR", wait_semaphores), SIMULATOR_ENTRY("AcquireNextImageKHR", acquire)};
  return kEntries;
}

}  // namespace sinew::simulator
