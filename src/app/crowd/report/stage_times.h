// Stage times of a run, computed from the times of its frames. Timestamps are used only where they are credible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "crowd/report/report.h"
#include "crowd/report/stages.h"
#include "gpu/frame_slots.h"

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

// The times of the last frames, for graphs in a window: of whole frames, and of their stages.

inline constexpr size_t kHistoryFrames = 240;

/// The last kHistoryFrames values of something that may not be measured in every frame.
class RecentTimes {
 public:
  void push(std::optional<double> ms);

  size_t size() const { return size_; }
  /// 0 is the oldest, size() - 1 the newest.
  std::optional<double> operator[](size_t index) const;

  /// Leaves values so far out of later percentiles. They stay in the graph.
  void begin_sample() { sampled_ = 0; }
  /// As percentile() of stages.h, of the values since begin_sample() that are still here. None without values.
  std::optional<double> percentile(double share) const;

 private:
  std::array<std::optional<double>, kHistoryFrames> values_;
  size_t next_ = 0, size_ = 0, sampled_ = 0;
};

/// As graphs call it.
const char* name_of(Stage stage);

struct TimeHistory {
  RecentTimes frames;                           // wall time from one frame to the next
  std::array<RecentTimes, kStageCount> stages;  // the newest are of the frame that was completed last

  /// Timestamps that are not credible count as not measured.
  void add_stages(const FrameTimes& frame, const QueueClocks& clocks);
  /// RecentTimes::begin_sample() of all.
  void begin_sample();
};

/// The end of the axis of a graph: the smallest of 1, 2 and 5 times a power of ten that is not below `ms`, and at least
/// 0.1.
double axis_end(double ms);

}  // namespace sinew::app
