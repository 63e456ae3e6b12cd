// Asynchronous compute: skinning in a submission of its own. The device may then skin a frame while it draws the frame
// before.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/handle.h"

namespace sinew::app {

/// What the user asks for.
enum class AsyncChoice : uint8_t { kAuto, kOn, kOff };

/// How a frame is submitted.
enum class AsyncCompute : uint8_t {
  kNone,         // skinning and drawing are one submission
  kSharedQueue,  // two submissions on the only queue: the device may overlap them
  kSecondQueue,  // two submissions on two queues
};

const char* name_of(AsyncCompute async);

/// The input of choose_async().
struct AsyncSituation {
  bool skins = true;     // the device skins before it draws
  bool overlaps = true;  // a frame may begin before the last frame is complete
  bool has_second_queue = false;
};

/// kAuto: kSecondQueue where the device has a second queue and frames overlap, otherwise kNone. kOn: kSecondQueue, or
/// kSharedQueue without a second queue. Always kNone where the device does not skin.
AsyncCompute choose_async(AsyncChoice choice, const AsyncSituation& situation);

/// The queue for a separate skinning submission: the second queue, or the first where there is no second.
VkQueue skinning_queue(const Device& device);
QueueIndex skinning_queue_index(const DeviceInfo& info);

/// Timeline semaphores between a frame's two submissions; their values are frame numbers. Two sets of skinned vertices
/// alternate: a frame may be skinned while the last frame is drawn, but only after the frame before that was drawn.
struct SkinTimelines {
  SemaphoreHandle skinned, drawn;      // null where a frame is one submission
  uint64_t last = 0, before_last = 0;  // the last two frames whose drawing was submitted

  explicit operator bool() const { return bool(skinned); }
};

Result<SkinTimelines> create_timelines(const Device& device);

}  // namespace sinew::app
