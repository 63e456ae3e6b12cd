// Stage times of a run, computed from the times of its frames. Timestamps are used only where they are credible.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "crowd/report/report.h"
#include "gpu/frame_times.h"

namespace sinew::app {

/// The GPU stages of one frame, by its timestamps. Empty: without timestamps. A pass counts from the end of the one
/// before: a GPU may begin it earlier. All passes together are draw_ms.
struct GpuTimes {
  std::optional<double> upload_ms, skin_ms, draw_ms;
  std::array<double, kMaxTimedPasses> pass_ms = {};
  uint32_t pass_count = 0;

  double sum_ms() const { return upload_ms.value_or(0) + skin_ms.value_or(0) + draw_ms.value_or(0); }
};

/// The timestamps must be credible.
GpuTimes gpu_times(const FrameTimes& frame, const QueueClocks& clocks);

/// The parts of a frame, by Stage.
std::array<std::optional<double>, kStageCount> part_times(const FrameTimes& frame, const GpuTimes& gpu);

/// Whether the timestamps of all frames are credible: they ascend, and they span no more time than passed on the CPU's
/// clock. `frames` are in the order of drawing. True where there are no timestamps.
bool is_credible(std::span<const FrameTimes> frames, const QueueClocks& clocks);

/// How the frames of a run were drawn.
struct TimesInfo {
  QueueClocks clocks;
  uint32_t warmup = 0;          // first frames of each repeat, which are left out of the samples
  uint32_t repeat_frames = 0;   // of one repeat, with its warm-up; 0: one repeat of all frames
  bool one_queue = true;        // skins and draws: their timestamps may be compared
  bool runs_alternate = false;  // runs alternate: each frame was finished before the next frame of any run began
};

/// Appends the samples of all frames after the warm-up to `report`. `frames` are in the order of drawing. Where the
/// timestamps are not credible, GPU times are left out and the report says so. The CPU's clock then times the frames,
/// as it does for frames without timestamps.
void add_times(std::span<const FrameTimes> frames, const TimesInfo& info, RunReport& report);

}  // namespace sinew::app
