#include "crowd/report/time_history.h"

#include <algorithm>
#include <cmath>

#include "crowd/report/stage_times.h"

namespace sinew::app {

void RecentTimes::push(std::optional<double> ms) {
  values_[next_] = ms;
  next_ = (next_ + 1) % kHistoryFrames;
  size_ = std::min(size_ + 1, kHistoryFrames);
  sampled_ = std::min(sampled_ + 1, kHistoryFrames);
}

std::optional<double> RecentTimes::operator[](size_t index) const {
  return values_[(next_ + kHistoryFrames - size_ + index) % kHistoryFrames];
}

std::optional<double> RecentTimes::percentile(double share) const {
  Samples samples;
  samples.reserve(sampled_);
  for (size_t i = size_ - sampled_; i < size_; ++i) {
    if (const auto value = (*this)[i]) samples.push_back(*value);
  }
  return app::percentile(std::move(samples), share);
}

const char* name_of(Stage stage) { return std::ranges::find(all_stages(), stage, &StageRow::stage)->graph_name; }

void TimeHistory::add_stages(const FrameTimes& frame, const QueueClocks& clocks) {
  const auto parts = part_times(frame, is_credible({&frame, 1}, clocks) ? gpu_times(frame, clocks) : GpuTimes());
  for (size_t part = 0; part < kStageCount; ++part) stages[part].push(parts[part]);
}

void TimeHistory::begin_sample() {
  frames.begin_sample();
  for (RecentTimes& stage : stages) stage.begin_sample();
}

double axis_end(double ms) {
  double end = 0.1;
  for (int i = 0; end < ms * (1 - 1e-9) && i < 30; ++i) end *= i % 3 == 1 ? 2.5 : 2;
  return end;
}

}  // namespace sinew::app
