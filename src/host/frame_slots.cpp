#include "host/frame_slots.h"

#include <array>

#include "host/clock.h"
#include "host/resources.h"

namespace host {
namespace {

Result<SemaphoreHandle> create_timeline(const Device& device, const std::string& name) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = &type;
  return create_object<SemaphoreHandle>(device, vkCreateSemaphore, info, "semaphore", name);
}

Status create_both_commands(const Device& device, AsyncCompute async, FrameSlot& slot, const std::string& index) {
  auto drawing = create_commands(device, device.info.queue_family, "sinew.frame" + index);
  if (!drawing) return drawing.error();
  slot.pool = std::move(drawing->pool);
  slot.cmd = slot.compute_cmd = drawing->cmd;
  if (async == AsyncCompute::kNone) return {};
  auto computing = create_commands(device, compute_queue_index(device.info).family, "sinew.compute" + index);
  if (!computing) return computing.error();
  slot.compute_pool = std::move(computing->pool);
  slot.compute_cmd = computing->cmd;
  return {};
}

Status create_signals(const Device& device, FrameSlot& slot, const std::string& index) {
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  const std::string complete = "sinew.complete" + index, acquired = "sinew.acquired" + index;
  Status made = put(create_object<FenceHandle>(device, vkCreateFence, fence, "fence", complete), slot.complete);
  if (!made) return made;
  return put(create_object<SemaphoreHandle>(device, vkCreateSemaphore, semaphore, "semaphore", acquired),
             slot.acquired);
}

Status create_both_timestamps(const Device& device, const SlotInfo& info, FrameSlot& slot, const std::string& index) {
  const DeviceClock draw = device_clock(device);
  const DeviceClock compute = info.async == AsyncCompute::kNone
                                  ? draw
                                  : DeviceClock{compute_queue_index(device.info).timestamp_bits, draw.tick_ns};
  slot.timestamp_count = info.timestamp_count;
  slot.compute_timestamp_count = info.compute_timestamp_count;
  Status made =
      put(create_timestamps(device, draw, info.timestamp_count, "sinew.draw_timestamps" + index), slot.timestamps);
  if (!made) return made;
  return put(create_timestamps(device, compute, info.compute_timestamp_count, "sinew.compute_timestamps" + index),
             slot.compute_timestamps);
}

/// For messages.
std::string name_of(const FrameSlot& slot) { return "frame " + std::to_string(slot.number); }

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
  FrameTimelines timelines;
  if (Status made = put(create_timeline(device, "sinew.computed"), timelines.computed); !made) return made.error();
  if (Status made = put(create_timeline(device, "sinew.drawn"), timelines.drawn); !made) return made.error();
  return timelines;
}

Result<QueryPoolHandle> create_timestamps(const Device& device, const DeviceClock& clock, uint32_t count,
                                          const std::string& name) {
  if (!clock || count == 0) return QueryPoolHandle();
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  return create_object<QueryPoolHandle>(device, vkCreateQueryPool, info, "query pool", name);
}

Result<FrameSlot> create_frame_slot(const Device& device, const SlotInfo& info, uint32_t number) {
  FrameSlot slot;
  const std::string index = "[" + std::to_string(number) + "]";
  if (Status created = create_both_commands(device, info.async, slot, index); !created) return created.error();
  if (Status created = create_signals(device, slot, index); !created) return created.error();
  if (Status created = create_both_timestamps(device, info, slot, index); !created) return created.error();
  return slot;
}

Status wait_for(const Device& device, FrameSlot& slot) {
  if (!slot.pending) return {};
  const VkFence fence = slot.complete.get();
  if (VkResult result = vkWaitForFences(device.handle, 1, &fence, VK_TRUE, UINT64_MAX); result != VK_SUCCESS)
    return vulkan_error("waiting for " + name_of(slot), result);
  if (VkResult result = vkResetFences(device.handle, 1, &fence); result != VK_SUCCESS)
    return vulkan_error("fence of " + name_of(slot), result);
  slot.completed_ms = now_ms();
  slot.pending = false;
  return {};
}

Status begin_commands(const Device& device, FrameSlot& slot) {
  if (Status begun = begin(device, slot.pool, slot.cmd, slot); !begun) return begun;
  if (slot.compute_pool) {
    if (Status begun = begin(device, slot.compute_pool, slot.compute_cmd, slot); !begun) return begun;
  }
  const auto reset = [](VkCommandBuffer cmd, const QueryPoolHandle& queries, uint32_t count) {
    if (queries) vkCmdResetQueryPool(cmd, queries.get(), 0, count);
  };
  reset(slot.compute_cmd, slot.compute_timestamps, slot.compute_timestamp_count);
  reset(slot.cmd, slot.timestamps, slot.timestamp_count);
  return {};
}

void write_timestamp(const Device& device, const FrameSlot& slot, uint32_t index, VkPipelineStageFlagBits stage) {
  if (!slot.timestamps) return;
  vkCmdWriteTimestamp(slot.cmd, stage, slot.timestamps.get(), index);
  if (device.info.is_cpu()) full_barrier(slot.cmd);
}

VkResult read_timestamps(const Device& device, const QueryPoolHandle& queries, std::span<uint64_t> ticks) {
  return vkGetQueryPoolResults(device.handle, queries.get(), 0, uint32_t(ticks.size()), ticks.size_bytes(),
                               ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
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

/// Computing overwrites what the frame before the last was drawn from: that frame must have been drawn.
Status submit_computing(const Device& device, const FrameSlot& slot, FrameTimelines& timelines) {
  Submission computing{slot, compute_queue(device), slot.compute_cmd};
  computing.waits.add(timelines.drawn.get(), timelines.before_last,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT);
  computing.signals.add(timelines.computed.get(), slot.number, 0);
  timelines.before_last = timelines.last;
  return submit(computing);
}

}  // namespace

Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores, FrameTimelines& timelines) {
  for (VkCommandBuffer cmd : {slot.cmd, slot.compute_pool ? slot.compute_cmd : VK_NULL_HANDLE}) {
    const VkResult result = cmd ? vkEndCommandBuffer(cmd) : VK_SUCCESS;
    if (result != VK_SUCCESS) return vulkan_error("recording of " + name_of(slot), result);
  }
  Submission drawing{slot, device.queue, slot.cmd, slot.complete.get()};
  slot.submitted_ms = now_ms();
  if (timelines) {
    if (Status submitted = submit_computing(device, slot, timelines); !submitted) return submitted;
    drawing.waits.add(timelines.computed.get(), slot.number, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT);
    drawing.signals.add(timelines.drawn.get(), slot.number, 0);
  }
  if (semaphores.wait) drawing.waits.add(semaphores.wait, 0, VK_PIPELINE_STAGE_TRANSFER_BIT);
  if (semaphores.signal) drawing.signals.add(semaphores.signal, 0, 0);
  if (Status submitted = submit(drawing); !submitted) {
    if (timelines) vkQueueWaitIdle(compute_queue(device));  // the slot is not pending: nothing else waits for computing
    return submitted;
  }
  timelines.last = slot.number;
  slot.pending = true;
  return {};
}

}  // namespace host
