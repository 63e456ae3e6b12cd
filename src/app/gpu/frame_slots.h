// The program's frames in flight: what the host keeps of each, and what was measured of it.
#pragma once

#include <vector>

#include "gpu/frame_times.h"
#include "gpu/host.h"

namespace sinew::app {

/// `compute_cmd` skins, `cmd` draws. With timestamps of both.
struct FrameSlot : host::FrameSlot {
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

}  // namespace sinew::app
