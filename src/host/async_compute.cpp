#include "host/async_compute.h"

namespace host {
namespace {

Result<SemaphoreHandle> create_timeline(const Device& device, const std::string& name) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = &type;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  if (VkResult result = vkCreateSemaphore(device.handle, &info, nullptr, &semaphore); result != VK_SUCCESS)
    return vulkan_error("semaphore " + name, result);
  set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
  return SemaphoreHandle(device.handle, semaphore);
}

}  // namespace

const char* name_of(AsyncCompute async) {
  if (async == AsyncCompute::kNone) return "none";
  return async == AsyncCompute::kSharedQueue ? "shared queue" : "second queue";
}

AsyncCompute choose_async(AsyncChoice choice, const AsyncSituation& situation) {
  if (choice == AsyncChoice::kOff || !situation.computes) return AsyncCompute::kNone;
  if (choice == AsyncChoice::kAuto && !(situation.overlaps && situation.has_second_queue)) return AsyncCompute::kNone;
  return situation.has_second_queue ? AsyncCompute::kSecondQueue : AsyncCompute::kSharedQueue;
}

VkQueue compute_queue(const Device& device) { return device.second_queue ? device.second_queue : device.queue; }

QueueIndex compute_queue_index(const DeviceInfo& info) {
  return info.second_queue.value_or(QueueIndex{info.queue_family, 0, info.timestamp_bits});
}

Result<FrameTimelines> create_timelines(const Device& device) {
  auto computed = create_timeline(device, "sinew.computed");
  if (!computed) return computed.error();
  auto drawn = create_timeline(device, "sinew.drawn");
  if (!drawn) return drawn.error();
  return FrameTimelines{std::move(*computed), std::move(*drawn)};
}

}  // namespace host
