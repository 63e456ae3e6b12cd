// Timestamps with fewer valid bits than 64. They wrap around soon after the first, and the other bits are not 0.
#include <cstring>

#include "chain.h"
#include "lost.h"

namespace sinew::simulator {
namespace {

constexpr uint64_t kTicksToWrap = 100000;  // from the first timestamp that is read

VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice handle, const VkQueryPoolCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkQueryPool* pool) {
  Device& device = device_of(handle);
  const VkResult result = device.CreateQueryPool(handle, info, callbacks, pool);
  const std::lock_guard lock(device.mutex);
  if (result == VK_SUCCESS && info->queryType == VK_QUERY_TYPE_TIMESTAMP) device.timestamps.insert(*pool);
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice handle, VkQueryPool pool, const VkAllocationCallbacks* callbacks) {
  Device& device = device_of(handle);
  {
    const std::lock_guard lock(device.mutex);
    device.timestamps.erase(pool);
  }
  device.DestroyQueryPool(handle, pool, callbacks);
}

uint64_t garbled(Device& device, uint64_t tick, uint64_t query) {
  const uint32_t bits = device.profile->timestamp_valid_bits;
  const uint64_t range = uint64_t{1} << bits;
  if (device.first_tick == 0) device.first_tick = tick;
  const uint64_t valid = (tick - device.first_tick - kTicksToWrap) & (range - 1);
  return valid | (query + 1) * 0x9E3779B9u << bits;
}

VKAPI_ATTR VkResult VKAPI_CALL get_results(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count,
                                           size_t bytes, void* data, VkDeviceSize stride, VkQueryResultFlags flags) {
  Device& device = device_of(handle);
  if (is_lost(device, "vkGetQueryPoolResults")) return VK_ERROR_DEVICE_LOST;
  const VkResult result = device.GetQueryPoolResults(handle, pool, first, count, bytes, data, stride, flags);
  const std::lock_guard lock(device.mutex);
  const bool changed = device.profile->timestamp_valid_bits < 64 && device.timestamps.count(pool) != 0;
  if (result != VK_SUCCESS || !changed || (flags & VK_QUERY_RESULT_64_BIT) == 0) return result;
  for (uint32_t i = 0; i < count; ++i) {
    std::byte* const at = static_cast<std::byte*>(data) + i * stride;
    uint64_t tick = 0;
    std::memcpy(&tick, at, sizeof tick);
    tick = garbled(device, tick, first + i);
    std::memcpy(at, &tick, sizeof tick);
  }
  return result;
}

}  // namespace

std::span<const Entry> timestamp_entries() {
  static const Entry kEntries[] = {SIMULATOR_ENTRY("CreateQueryPool", create_pool),
                                   SIMULATOR_ENTRY("DestroyQueryPool", destroy_pool),
                                   SIMULATOR_ENTRY("GetQueryPoolResults", get_results)};
  return kEntries;
}

}  // namespace sinew::simulator
