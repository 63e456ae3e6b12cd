// The times of the last frames, for graphs in a window: of whole frames, and of their stages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "crowd/report/stages.h"
#include "gpu/frame_times.h"

namespace sinew::app {

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

  RecentTimes& operator[](Stage stage) { return stages[size_t(stage)]; }
  const RecentTimes& operator[](Stage stage) const { return stages[size_t(stage)]; }

  /// Timestamps that are not credible count as not measured.
  void add_stages(const FrameTimes& frame, const QueueClocks& clocks);
  /// RecentTimes::begin_sample() of all.
  void begin_sample();
};

/// The end of the axis of a graph: the smallest of 1, 2 and 5 times a power of ten that is not below `ms`, and at least
/// 0.1.
double axis_end(double ms);

}  // namespace sinew::app
