// What the stages of a run took: from the times of its frames, where the device's clock can be believed.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/frame_times.h"
#include "report/report.h"

namespace sinew::app {

/// Whether the timestamps of all frames, which are in order, can be true: they ascend, and tell of no more time than
/// has passed by the CPU's clock. True where there are none.
bool is_credible(std::span<const FrameTimes> frames, const QueueClocks& clocks);

struct TimesInfo {
  QueueClocks clocks;
  uint32_t warmup = 0;    // frames that are left out
  bool in_turns = false;  // each frame ran alone
};

/// Adds the samples of all frames, which are in order, to a report. Those of a device whose timestamps are not credible
/// are left out, and the report says so; such frames are timed by the CPU's clock, as are those without timestamps.
void add_times(std::span<const FrameTimes> frames, const TimesInfo& info, RunReport& report);

}  // namespace sinew::app
