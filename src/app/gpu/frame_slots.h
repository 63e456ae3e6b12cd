// Frames in flight: their command buffers, fences and timestamps.
#pragma once

#include <vector>

#include "gpu/async_compute.h"
#include "gpu/device.h"
#include "gpu/frame_times.h"
#include "gpu/handle.h"

namespace sinew::app {

struct FrameSlot {
  CommandPoolHandle pool, skin_pool;                 // skin_pool: null where a frame is one submission
  VkCommandBuffer cmd = VK_NULL_HANDLE;              // draws
  VkCommandBuffer skin_cmd = VK_NULL_HANDLE;         // skins; equals `cmd` where a frame is one submission
  FenceHandle complete;                              // signaled when both submissions are complete
  QueryPoolHandle draw_timestamps, skin_timestamps;  // null without timestamps; skin: null unless the device skins
  uint32_t draw_queries = 0;                         // of draw_timestamps: one more than timed passes
  SemaphoreHandle acquired;                          // signaled when the swapchain image may be written
  bool pending = false;                              // submitted, not yet waited for
  FrameTimes times;
};

struct SlotsInfo {
  uint32_t count = 2;
  bool skins = true;  // the device skins before it draws
  AsyncCompute async = AsyncCompute::kNone;
  uint32_t timed_passes = 1;  // at most kMaxTimedPasses
};

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info);

/// The clocks of the queues that frames are submitted to.
QueueClocks queue_clocks(const Device& device, AsyncCompute async);

/// Waits for the slot's frame, if one is pending, and reads its timestamps into `slot.times`.
Status wait_for(const Device& device, FrameSlot& slot);

/// Resets and begins the slot's command buffers. The slot's last frame must be complete.
Status begin_commands(const Device& device, FrameSlot& slot);

/// Writes timestamp `index` of DrawTicks when all earlier commands have passed `stage`. On a CPU device a full barrier
/// follows: later commands would run before the driver reads the clock. So not inside a render pass on such a device.
void write_timestamp(const Device& device, const FrameSlot& slot, uint32_t index, VkPipelineStageFlagBits stage);

/// The semaphores between a frame and the window.
struct SubmitSemaphores {
  VkSemaphore wait = VK_NULL_HANDLE, signal = VK_NULL_HANDLE;  // both or none; the copy to the window's image waits
};

/// Ends recording and submits the frame: in two submissions where `timelines` exist.
Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores, SkinTimelines& timelines);

}  // namespace sinew::app
