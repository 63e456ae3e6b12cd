// Frames in flight: their command buffers, when they are done, and how long the device took.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "async_compute.h"
#include "clock.h"
#include "device.h"
#include "handle.h"
#include "sinew/vulkan.h"

namespace sinew::app {

/// The timestamps around the drawing. The skinner has its own, perhaps of another queue: the two are never compared.
enum class DrawTimestamp : uint32_t { kBegin, kDrawn, kCount };

/// What one frame took, in milliseconds. Empty: not measured.
struct FrameTimes {
  uint64_t number = 0;  // of the run, from 1
  double cull_ms = 0, sample_ms = 0, record_ms = 0;
  std::optional<double> cpu_skin_ms;
  std::optional<double> upload_ms, skin_ms, draw_ms;  // between timestamps of one queue
  double submit_ms = 0;                               // wall time from submission until the CPU saw it done
  double end_ms = 0;  // when the device had drawn it, by the device's clock; without timestamps when the CPU saw it

  double cpu_ms() const { return cull_ms + sample_ms + record_ms + cpu_skin_ms.value_or(0); }

  /// Of all stages: what the frame takes where it runs alone.
  double sum_ms() const { return cpu_ms() + upload_ms.value_or(0) + skin_ms.value_or(0) + draw_ms.value_or(0); }
};

struct FrameSlot {
  CommandPoolHandle pool, skin_pool;                 // skin_pool: none where a frame is one submission
  VkCommandBuffer cmd = VK_NULL_HANDLE;              // what draws
  VkCommandBuffer skin_cmd = VK_NULL_HANDLE;         // what skins; the same where a frame is one submission
  FenceHandle complete;                              // of both
  QueryPoolHandle draw_timestamps, skin_timestamps;  // none where the queue has none; skin: the device's alone
  SemaphoreHandle acquired;                          // the image to present to is ours
  bool pending = false;                              // submitted, and not yet waited for
  Stopwatch since_submission;
  FrameTimes times;
};

struct SlotsInfo {
  uint32_t count = 2;
  bool skins = true;  // the device does, before it draws
  AsyncCompute async = AsyncCompute::kNone;
};

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info);

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
