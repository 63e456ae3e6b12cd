#include "frame_slots.h"

#include <array>

#include "resources.h"

namespace sinew::app {
namespace {

Status create_commands(const Device& device, FrameSlot& slot, const std::string& index) {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device.info.queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("command pool", result);
  slot.pool = CommandPoolHandle(device.handle, pool);
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool;
  info.commandBufferCount = 1;
  if (VkResult result = vkAllocateCommandBuffers(device.handle, &info, &slot.cmd); result != VK_SUCCESS)
    return vulkan_error("command buffer", result);
  set_name(device, VK_OBJECT_TYPE_COMMAND_POOL, pool, "sinew.command_pool" + index);
  set_name(device, VK_OBJECT_TYPE_COMMAND_BUFFER, slot.cmd, "sinew.frame" + index);
  return {};
}

Status create_signals(const Device& device, FrameSlot& slot, const std::string& index) {
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  if (VkResult result = vkCreateFence(device.handle, &fence_info, nullptr, &fence); result != VK_SUCCESS)
    return vulkan_error("fence", result);
  slot.complete = FenceHandle(device.handle, fence);
  const VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  if (VkResult result = vkCreateSemaphore(device.handle, &semaphore_info, nullptr, &semaphore); result != VK_SUCCESS)
    return vulkan_error("semaphore", result);
  slot.acquired = SemaphoreHandle(device.handle, semaphore);
  set_name(device, VK_OBJECT_TYPE_FENCE, fence, "sinew.complete" + index);
  set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, "sinew.acquired" + index);
  return {};
}

Status create_timestamps(const Device& device, FrameSlot& slot, const std::string& index) {
  if (!device.info.timestamps) return {};
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = kQueryCount;
  VkQueryPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateQueryPool(device.handle, &info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("query pool", result);
  slot.timestamps = QueryPoolHandle(device.handle, pool);
  set_name(device, VK_OBJECT_TYPE_QUERY_POOL, pool, "sinew.timestamps" + index);
  return {};
}

void read_timestamps(const Device& device, FrameSlot& slot) {
  if (!slot.timestamps) return;
  std::array<uint64_t, kQueryCount> ticks{};
  const VkResult result = vkGetQueryPoolResults(device.handle, slot.timestamps.get(), 0, kQueryCount, sizeof ticks,
                                                ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
  if (result != VK_SUCCESS) return;
  const auto between = [&](vulkan::Timestamp from, uint32_t to) {
    return double(ticks[to] - ticks[uint32_t(from)]) * device.info.limits.timestampPeriod / 1e6;
  };
  slot.times.upload_ms = between(vulkan::Timestamp::kBegin, uint32_t(vulkan::Timestamp::kUploaded));
  slot.times.skin_ms = between(vulkan::Timestamp::kUploaded, uint32_t(vulkan::Timestamp::kSkinned));
  slot.times.draw_ms = between(vulkan::Timestamp::kSkinned, kDrawnQuery);
  slot.times.end_ms = double(ticks[kDrawnQuery]) * device.info.limits.timestampPeriod / 1e6;
}

}  // namespace

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, uint32_t count) {
  std::vector<FrameSlot> slots(count);
  for (uint32_t i = 0; i < count; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    if (Status created = create_commands(device, slots[i], index); !created) return created.error();
    if (Status created = create_signals(device, slots[i], index); !created) return created.error();
    if (Status created = create_timestamps(device, slots[i], index); !created) return created.error();
  }
  return slots;
}

Status wait_for(const Device& device, FrameSlot& slot) {
  if (!slot.pending) return {};
  const VkFence fence = slot.complete.get();
  if (VkResult result = vkWaitForFences(device.handle, 1, &fence, VK_TRUE, UINT64_MAX); result != VK_SUCCESS)
    return vulkan_error("frame " + std::to_string(slot.times.number), result);
  slot.times.submit_ms = slot.since_submission.elapsed_ms();
  slot.pending = false;
  vkResetFences(device.handle, 1, &fence);
  read_timestamps(device, slot);
  return {};
}

Status begin_commands(const Device& device, FrameSlot& slot) {
  if (VkResult result = vkResetCommandPool(device.handle, slot.pool.get(), 0); result != VK_SUCCESS)
    return vulkan_error("command pool", result);
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (VkResult result = vkBeginCommandBuffer(slot.cmd, &info); result != VK_SUCCESS)
    return vulkan_error("recording", result);
  if (slot.timestamps) vkCmdResetQueryPool(slot.cmd, slot.timestamps.get(), 0, kQueryCount);
  return {};
}

void write_timestamp(const Device& device, const FrameSlot& slot, uint32_t query) {
  if (!slot.timestamps) return;
  vkCmdWriteTimestamp(slot.cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.timestamps.get(), query);
  if (device.info.is_cpu()) full_barrier(slot.cmd);
}

Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores) {
  if (VkResult result = vkEndCommandBuffer(slot.cmd); result != VK_SUCCESS) return vulkan_error("recording", result);
  const VkPipelineStageFlags waiting = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.waitSemaphoreCount = semaphores.wait ? 1 : 0;
  info.pWaitSemaphores = &semaphores.wait;
  info.pWaitDstStageMask = &waiting;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &slot.cmd;
  info.signalSemaphoreCount = semaphores.signal ? 1 : 0;
  info.pSignalSemaphores = &semaphores.signal;
  slot.since_submission = Stopwatch();
  if (VkResult result = vkQueueSubmit(device.queue, 1, &info, slot.complete.get()); result != VK_SUCCESS)
    return vulkan_error("submission", result);
  slot.pending = true;
  return {};
}

}  // namespace sinew::app
