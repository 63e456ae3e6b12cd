#include "gpu/frame_slots.h"

#include <array>

#include "gpu/resources.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr uint32_t kSkinQueries = uint32_t(vulkan::Timestamp::kCount);

struct Commands {
  CommandPoolHandle pool;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
};

Result<Commands> create_commands(const Device& device, uint32_t family, const std::string& name) {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("command pool of " + name, result);
  Commands commands{CommandPoolHandle(device.handle, pool)};
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool;
  info.commandBufferCount = 1;
  if (VkResult result = vkAllocateCommandBuffers(device.handle, &info, &commands.cmd); result != VK_SUCCESS)
    return vulkan_error("command buffer " + name, result);
  set_name(device, VK_OBJECT_TYPE_COMMAND_POOL, pool, name + ".command_pool");
  set_name(device, VK_OBJECT_TYPE_COMMAND_BUFFER, commands.cmd, name);
  return commands;
}

Status create_both_commands(const Device& device, AsyncCompute async, FrameSlot& slot, const std::string& index) {
  auto drawing = create_commands(device, device.info.queue_family, "sinew.frame" + index);
  if (!drawing) return drawing.error();
  slot.pool = std::move(drawing->pool);
  slot.cmd = slot.skin_cmd = drawing->cmd;
  if (async == AsyncCompute::kNone) return {};
  auto skinning = create_commands(device, skinning_queue_index(device.info).family, "sinew.skinning" + index);
  if (!skinning) return skinning.error();
  slot.skin_pool = std::move(skinning->pool);
  slot.skin_cmd = skinning->cmd;
  return {};
}

Status create_signals(const Device& device, FrameSlot& slot, const std::string& index) {
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  if (VkResult result = vkCreateFence(device.handle, &fence_info, nullptr, &fence); result != VK_SUCCESS)
    return vulkan_error("fence sinew.complete" + index, result);
  slot.complete = FenceHandle(device.handle, fence);
  const VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  if (VkResult result = vkCreateSemaphore(device.handle, &semaphore_info, nullptr, &semaphore); result != VK_SUCCESS)
    return vulkan_error("semaphore sinew.acquired" + index, result);
  slot.acquired = SemaphoreHandle(device.handle, semaphore);
  set_name(device, VK_OBJECT_TYPE_FENCE, fence, "sinew.complete" + index);
  set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, "sinew.acquired" + index);
  return {};
}

/// Null where the queue has no timestamps.
Result<QueryPoolHandle> create_timestamps(const Device& device, const DeviceClock& clock, uint32_t count,
                                          const std::string& name) {
  if (!clock) return QueryPoolHandle();
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  VkQueryPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateQueryPool(device.handle, &info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("query pool " + name, result);
  set_name(device, VK_OBJECT_TYPE_QUERY_POOL, pool, name);
  return QueryPoolHandle(device.handle, pool);
}

Status create_both_timestamps(const Device& device, const SlotsInfo& info, FrameSlot& slot, const std::string& index) {
  const QueueClocks clocks = queue_clocks(device, info.async);
  slot.draw_queries = 1 + info.timed_passes;
  auto drawing = create_timestamps(device, clocks.draw, slot.draw_queries, "sinew.draw_timestamps" + index);
  if (!drawing) return drawing.error();
  slot.draw_timestamps = std::move(*drawing);
  if (!info.skins) return {};
  auto skinning = create_timestamps(device, clocks.skin, kSkinQueries, "sinew.skin_timestamps" + index);
  if (!skinning) return skinning.error();
  slot.skin_timestamps = std::move(*skinning);
  return {};
}

/// For messages.
std::string name_of(const FrameSlot& slot) { return "frame " + std::to_string(slot.times.number); }

VkResult read_ticks(const Device& device, VkQueryPool queries, std::span<uint64_t> ticks) {
  return vkGetQueryPoolResults(device.handle, queries, 0, uint32_t(ticks.size()), ticks.size_bytes(), ticks.data(),
                               sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
}

/// Those of a slot's frame. They are empty where there are no timestamps, or none that were written.
VkResult read_ticks(const Device& device, FrameSlot& slot) {
  slot.times.skin_ticks.reset(), slot.times.draw_ticks.reset();
  if (slot.skin_timestamps) {
    SkinTicks ticks{};
    const VkResult result = read_ticks(device, slot.skin_timestamps.get(), ticks);
    if (result == VK_SUCCESS) slot.times.skin_ticks = ticks;
    if (result != VK_SUCCESS && result != VK_NOT_READY) return result;
  }
  if (!slot.draw_timestamps) return VK_SUCCESS;
  DrawTicks ticks(slot.draw_queries);
  const VkResult result = read_ticks(device, slot.draw_timestamps.get(), ticks.span());
  if (result == VK_SUCCESS) slot.times.draw_ticks = ticks;
  return result == VK_NOT_READY ? VK_SUCCESS : result;
}

}  // namespace

QueueClocks queue_clocks(const Device& device, AsyncCompute async) {
  const DeviceClock draw = device_clock(device);
  if (async == AsyncCompute::kNone) return {draw, draw};
  return {{skinning_queue_index(device.info).timestamp_bits, draw.tick_ns}, draw};
}

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info) {
  std::vector<FrameSlot> slots(info.count);
  for (uint32_t i = 0; i < info.count; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    if (Status created = create_both_commands(device, info.async, slots[i], index); !created) return created.error();
    if (Status created = create_signals(device, slots[i], index); !created) return created.error();
    if (Status created = create_both_timestamps(device, info, slots[i], index); !created) return created.error();
  }
  return slots;
}

Status wait_for(const Device& device, FrameSlot& slot) {
  if (!slot.pending) return {};
  const VkFence fence = slot.complete.get();
  if (VkResult result = vkWaitForFences(device.handle, 1, &fence, VK_TRUE, UINT64_MAX); result != VK_SUCCESS)
    return vulkan_error("waiting for " + name_of(slot), result);
  if (VkResult result = vkResetFences(device.handle, 1, &fence); result != VK_SUCCESS)
    return vulkan_error("fence of " + name_of(slot), result);
  slot.times.completed_ms = now_ms();
  slot.pending = false;
  if (VkResult result = read_ticks(device, slot); result != VK_SUCCESS)
    return vulkan_error("timestamps of " + name_of(slot), result);
  return {};
}

namespace {

Status begin(const Device& device, const CommandPoolHandle& pool, VkCommandBuffer cmd, const FrameSlot& slot) {
  if (VkResult result = vkResetCommandPool(device.handle, pool.get(), 0); result != VK_SUCCESS)
    return vulkan_error("command pool of " + name_of(slot), result);
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (VkResult result = vkBeginCommandBuffer(cmd, &info); result != VK_SUCCESS)
    return vulkan_error("recording of " + name_of(slot), result);
  return {};
}

}  // namespace

Status begin_commands(const Device& device, FrameSlot& slot) {
  if (Status begun = begin(device, slot.pool, slot.cmd, slot); !begun) return begun;
  if (slot.skin_pool) {
    if (Status begun = begin(device, slot.skin_pool, slot.skin_cmd, slot); !begun) return begun;
  }
  if (slot.skin_timestamps) vkCmdResetQueryPool(slot.skin_cmd, slot.skin_timestamps.get(), 0, kSkinQueries);
  if (slot.draw_timestamps) vkCmdResetQueryPool(slot.cmd, slot.draw_timestamps.get(), 0, slot.draw_queries);
  return {};
}

void write_timestamp(const Device& device, const FrameSlot& slot, uint32_t index, VkPipelineStageFlagBits stage) {
  if (!slot.draw_timestamps) return;
  vkCmdWriteTimestamp(slot.cmd, stage, slot.draw_timestamps.get(), index);
  if (device.info.is_cpu()) full_barrier(slot.cmd);
}

namespace {

/// Semaphores that one submission waits for, or signals.
struct Semaphores {
  std::array<VkSemaphore, 2> handles{};
  std::array<uint64_t, 2> values{};              // of timeline semaphores
  std::array<VkPipelineStageFlags, 2> stages{};  // stages that wait
  uint32_t count = 0;

  void add(VkSemaphore handle, uint64_t value, VkPipelineStageFlags waiting) {
    handles[count] = handle, values[count] = value, stages[count] = waiting;
    ++count;
  }
};

struct Submission {
  const FrameSlot& slot;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  Semaphores waits, signals;
};

Status submit(const Submission& submission) {
  const auto& [slot, queue, cmd, fence, waits, signals] = submission;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = waits.count;
  values.pWaitSemaphoreValues = waits.values.data();
  values.signalSemaphoreValueCount = signals.count;
  values.pSignalSemaphoreValues = signals.values.data();
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &values;
  info.waitSemaphoreCount = waits.count;
  info.pWaitSemaphores = waits.handles.data();
  info.pWaitDstStageMask = waits.stages.data();
  info.commandBufferCount = 1;
  info.pCommandBuffers = &cmd;
  info.signalSemaphoreCount = signals.count;
  info.pSignalSemaphores = signals.handles.data();
  if (VkResult result = vkQueueSubmit(queue, 1, &info, fence); result != VK_SUCCESS)
    return vulkan_error("submission of " + name_of(slot), result);
  return {};
}

/// Skinning overwrites the vertices of the frame before the last: that frame must have been drawn.
Status submit_skinning(const Device& device, const FrameSlot& slot, SkinTimelines& timelines) {
  Submission skinning{slot, skinning_queue(device), slot.skin_cmd};
  skinning.waits.add(timelines.drawn.get(), timelines.before_last,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT);
  skinning.signals.add(timelines.skinned.get(), slot.times.number, 0);
  timelines.before_last = timelines.last;
  return submit(skinning);
}

}  // namespace

Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores, SkinTimelines& timelines) {
  for (VkCommandBuffer cmd : {slot.cmd, slot.skin_pool ? slot.skin_cmd : VK_NULL_HANDLE}) {
    const VkResult result = cmd ? vkEndCommandBuffer(cmd) : VK_SUCCESS;
    if (result != VK_SUCCESS) return vulkan_error("recording of " + name_of(slot), result);
  }
  Submission drawing{slot, device.queue, slot.cmd, slot.complete.get()};
  slot.times.submitted_ms = now_ms();
  if (timelines) {
    if (Status submitted = submit_skinning(device, slot, timelines); !submitted) return submitted;
    drawing.waits.add(timelines.skinned.get(), slot.times.number, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT);
    drawing.signals.add(timelines.drawn.get(), slot.times.number, 0);
  }
  if (semaphores.wait) drawing.waits.add(semaphores.wait, 0, VK_PIPELINE_STAGE_TRANSFER_BIT);
  if (semaphores.signal) drawing.signals.add(semaphores.signal, 0, 0);
  if (Status submitted = submit(drawing); !submitted) {
    if (timelines) vkQueueWaitIdle(skinning_queue(device));  // the slot is not pending: nothing else waits for skinning
    return submitted;
  }
  timelines.last = slot.times.number;
  slot.pending = true;
  return {};
}

}  // namespace sinew::app
