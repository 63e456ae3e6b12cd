// Frames in flight: their command buffers, when they are done, and how long the device took.
#pragma once

#include <vector>

#include "gpu/async_compute.h"
#include "gpu/device.h"
#include "gpu/frame_times.h"
#include "gpu/handle.h"

namespace sinew::app {

struct FrameSlot {
  CommandPoolHandle pool, skin_pool;                 // skin_pool: none where a frame is one submission
  VkCommandBuffer cmd = VK_NULL_HANDLE;              // what draws
  VkCommandBuffer skin_cmd = VK_NULL_HANDLE;         // what skins; the same where a frame is one submission
  FenceHandle complete;                              // of both
  QueryPoolHandle draw_timestamps, skin_timestamps;  // none where the queue has none; skin: the device's alone
  SemaphoreHandle acquired;                          // the image to present to is ours
  bool pending = false;                              // submitted, and not yet waited for
  FrameTimes times;
};

struct SlotsInfo {
  uint32_t count = 2;
  bool skins = true;  // the device does, before it draws
  AsyncCompute async = AsyncCompute::kNone;
};

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info);

/// Of the queues that the slots' frames are submitted to.
QueueClocks queue_clocks(const Device& device, AsyncCompute async);

/// Waits for the slot's frame, if one is pending, and reads its timestamps into `times`.
Status wait_for(const Device& device, FrameSlot& slot);

/// Starts recording into the slot's command buffers. Its last frame must be complete.
Status begin_commands(const Device& device, FrameSlot& slot);

/// Writes a timestamp; on a device that is a CPU, makes it wait until it is true.
void write_timestamp(const Device& device, const FrameSlot& slot, DrawTimestamp timestamp);

/// Where a frame goes besides its picture.
struct SubmitSemaphores {
  VkSemaphore wait = VK_NULL_HANDLE, signal = VK_NULL_HANDLE;  // both or none; the copy to the window waits
};

/// Ends recording and submits; in two submissions where there are timelines.
Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores, SkinTimelines& timelines);

}  // namespace sinew::app
