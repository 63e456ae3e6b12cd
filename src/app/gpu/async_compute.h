// Skinning that is submitted by itself: the device may skin a frame while it draws the one before.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/handle.h"

namespace sinew::app {

/// What a user asks for, and what comes of it.
enum class AsyncChoice : uint8_t { kAuto, kOn, kOff };
enum class AsyncCompute : uint8_t {
  kNone,         // skinning and drawing are one submission
  kSharedQueue,  // two, on the one queue there is: the device may overlap them, or not
  kSecondQueue,
};

const char* name_of(AsyncCompute async);

/// What there is to choose by.
struct AsyncSituation {
  bool skins = true;     // the device does, before it draws
  bool overlaps = true;  // a frame may be begun before the last is done
  bool has_second_queue = false;
};

/// kAuto: a second queue where there is one, and something to overlap.
AsyncCompute choose_async(AsyncChoice choice, const AsyncSituation& situation);

/// Where skinning goes that is submitted by itself.
VkQueue skinning_queue(const Device& device);
QueueIndex skinning_queue_index(const DeviceInfo& info);

/// How a frame's two submissions wait for each other. Values are numbers of frames. Skinned vertices are kept twice, in
/// turn: a frame is skinned while the last is drawn, but not before the one before that has been.
struct SkinTimelines {
  SemaphoreHandle skinned, drawn;      // none where a frame is one submission
  uint64_t last = 0, before_last = 0;  // frames whose drawing was submitted

  explicit operator bool() const { return bool(skinned); }
};

Result<SkinTimelines> create_timelines(const Device& device);

}  // namespace sinew::app
