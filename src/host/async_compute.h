// Asynchronous compute: what a frame computes before it draws, in a submission of its own. The device may then compute
// for a frame while it draws the frame before.
#pragma once

#include <cstdint>

#include "host/device.h"
#include "host/handle.h"

namespace host {

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

}  // namespace host
