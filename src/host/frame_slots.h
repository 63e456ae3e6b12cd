// Frames in flight: their command buffers, fences and timestamps; and what a frame computes before it draws.
#pragma once

#include <cstdint>
#include <span>

#include "host/device.h"
#include "host/device_clock.h"
#include "host/handle.h"

namespace host {

// Asynchronous compute: what a frame computes before it draws, in a submission of its own. The device may then compute
// for a frame while it draws the frame before.

/// What the user asks for.
enum class AsyncChoice : uint8_t { kAuto, kOn, kOff };

/// How a frame is submitted.
enum class AsyncCompute : uint8_t {
  kNone,         // computing and drawing are one submission
  kSharedQueue,  // two submissions on the only queue: the device may overlap them
  kSecondQueue,  // two submissions on two queues
};

const char* name_of(AsyncCompute async);

/// The input of choose_async().
struct AsyncSituation {
  bool computes = true;  // the device computes before it draws
  bool overlaps = true;  // a frame may begin before the last frame is complete
  bool has_second_queue = false;
};

/// kAuto: kSecondQueue where the device has a second queue and frames overlap, otherwise kNone. kOn: kSecondQueue, or
/// kSharedQueue without a second queue. Always kNone where the device does not compute.
AsyncCompute choose_async(AsyncChoice choice, const AsyncSituation& situation);

/// The queue of a submission that computes: the second queue, or the first where there is no second.
VkQueue compute_queue(const Device& device);
QueueIndex compute_queue_index(const DeviceInfo& info);

/// Timeline semaphores between a frame's two submissions; their values are frame numbers. Two sets of what
/// is computed alternate: a frame may be computed while the last one is drawn, but not before the one before that was.
struct FrameTimelines {
  SemaphoreHandle computed, drawn;     // null where a frame is one submission
  uint64_t last = 0, before_last = 0;  // the last two frames whose drawing was submitted

  explicit operator bool() const { return bool(computed); }
};

Result<FrameTimelines> create_timelines(const Device& device);

// Frames in flight: their command buffers, fences and timestamps.

struct FrameSlot {
  CommandPoolHandle pool, compute_pool;            // compute_pool: null where a frame is one submission
  VkCommandBuffer cmd = VK_NULL_HANDLE;            // draws
  VkCommandBuffer compute_cmd = VK_NULL_HANDLE;    // before drawing; equals `cmd` where a frame is one submission
  FenceHandle complete;                            // signaled when both submissions are complete
  QueryPoolHandle timestamps, compute_timestamps;  // null where there are none
  uint32_t timestamp_count = 0, compute_timestamp_count = 0;
  SemaphoreHandle acquired;                   // signaled when the swapchain image may be written
  bool pending = false;                       // submitted, not yet waited for
  uint64_t number = 0;                        // of the frame, from 1: the caller sets it
  double submitted_ms = 0, completed_ms = 0;  // by now_ms(): submission; when the CPU saw the frame complete
};

struct SlotInfo {
  AsyncCompute async = AsyncCompute::kNone;
  uint32_t timestamp_count = 0, compute_timestamp_count = 0;
};

/// Null where the clock has no bits, and for none.
Result<QueryPoolHandle> create_timestamps(const Device& device, const DeviceClock& clock, uint32_t count,
                                          const std::string& name);

/// `index` is for names.
Result<FrameSlot> create_frame_slot(const Device& device, const SlotInfo& info, uint32_t index);

/// Waits for the slot's frame, if one is pending.
Status wait_for(const Device& device, FrameSlot& slot);

/// Resets and begins the slot's command buffers. The slot's last frame must be complete.
Status begin_commands(const Device& device, FrameSlot& slot);

/// Writes timestamp `index` when all earlier commands have passed `stage`. On a CPU device a full barrier follows:
/// later commands would run before the driver reads the clock. So not inside a render pass on such a device.
void write_timestamp(const Device& device, const FrameSlot& slot, uint32_t index, VkPipelineStageFlagBits stage);

/// Reads the timestamps of a complete frame. VK_NOT_READY: they were never written. `queries` is not null.
VkResult read_timestamps(const Device& device, const QueryPoolHandle& queries, std::span<uint64_t> ticks);

/// The semaphores between a frame and the window.
struct SubmitSemaphores {
  VkSemaphore wait = VK_NULL_HANDLE, signal = VK_NULL_HANDLE;  // both or none; the copy to the window's image waits
};

/// Ends recording and submits the frame: in two submissions where `timelines` exist.
Status submit(const Device& device, FrameSlot& slot, const SubmitSemaphores& semaphores, FrameTimelines& timelines);

}  // namespace host
