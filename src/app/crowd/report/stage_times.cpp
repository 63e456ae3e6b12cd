#include "crowd/report/stage_times.h"

#include <algorithm>

namespace sinew::app {
namespace {

bool is_credible(const FrameTimes& frame, const QueueClocks& clocks) {
  return (!frame.skin_ticks || is_credible(clocks.skin, *frame.skin_ticks, frame.submit_ms())) &&
         (!frame.draw_ticks || is_credible(clocks.draw, frame.draw_ticks->span(), frame.submit_ms()));
}

/// From the end of one frame to the end of the next, by the device's clock where both frames have timestamps.
double ms_between_ends(const FrameTimes& previous, const FrameTimes& frame, const QueueClocks& clocks) {
  if (!previous.draw_ticks || !frame.draw_ticks) return frame.completed_ms - previous.completed_ms;
  return clocks.draw.ms_between(previous.draw_ticks->back(), frame.draw_ticks->back());
}

/// Whether the frames' timestamps fit together: between the ends of both passed no more time than between the
/// submission of the first and the moment when the CPU saw the second complete. Equal ends mean that
/// the second frame wrote no timestamps.
bool follows(const FrameTimes& previous, const FrameTimes& frame, const QueueClocks& clocks) {
  if (!previous.draw_ticks || !frame.draw_ticks) return true;
  return previous.draw_ticks->back() != frame.draw_ticks->back() &&
         fits_in(ms_between_ends(previous, frame, clocks), frame.completed_ms - previous.submitted_ms);
}

/// How long the device had begun a frame before the drawing of the previous one was complete; both by one clock.
std::optional<double> overlap_ms(const FrameTimes& previous, const FrameTimes& frame, const DeviceClock& clock) {
  if (!previous.draw_ticks || !frame.skin_ticks) return {};
  const uint64_t begin = frame.skin_ticks->front(), drawn = previous.draw_ticks->back();
  const double ms = clock.ms_between(begin, drawn);
  return ms < clock.ms_between(drawn, begin) ? ms : 0;
}

void add_frame(const FrameTimes& frame, const GpuTimes& stages, RunReport& report) {
  ++report.frames;
  const auto parts = part_times(frame, stages);
  for (size_t part = 0; part < kStageCount; ++part) {
    if (parts[part]) report.times[part].push_back(*parts[part]);
  }
  if (stages.pass_count != report.passes_drawn.size()) return;  // a window draws other passes since
  for (size_t i = 0; i < stages.pass_count; ++i) report.passes_drawn[i].ms.push_back(stages.pass_ms[i]);
}

bool is_warmup(const FrameTimes& frame, const TimesInfo& info) {
  const uint64_t first = frame.number - 1;
  return (info.repeat_frames > 0 ? first % info.repeat_frames : first) < info.warmup;
}

FrameTimes without_ticks(FrameTimes frame) {
  frame.skin_ticks.reset(), frame.draw_ticks.reset();
  return frame;
}

}  // namespace

GpuTimes gpu_times(const FrameTimes& frame, const QueueClocks& clocks) {
  GpuTimes times;
  if (frame.skin_ticks) {
    const auto& [begin, uploaded, skinned] = *frame.skin_ticks;
    times.upload_ms = clocks.skin.ms_between(begin, uploaded);
    times.skin_ms = clocks.skin.ms_between(uploaded, skinned);
  }
  if (!frame.draw_ticks) return times;
  const auto ticks = frame.draw_ticks->span();
  times.draw_ms = clocks.draw.ms_between(ticks.front(), ticks.back());
  times.pass_count = uint32_t(ticks.size()) - 1;
  for (uint32_t i = 0; i < times.pass_count; ++i) times.pass_ms[i] = clocks.draw.ms_between(ticks[i], ticks[i + 1]);
  return times;
}

std::array<std::optional<double>, kStageCount> part_times(const FrameTimes& frame, const GpuTimes& gpu) {
  return {frame.cull_ms(), frame.sample_ms(), frame.record_ms(), frame.cpu_skin_ms(),
          gpu.upload_ms,   gpu.skin_ms,       gpu.draw_ms};
}

bool is_credible(std::span<const FrameTimes> frames, const QueueClocks& clocks) {
  for (size_t i = 0; i < frames.size(); ++i) {
    if (!is_credible(frames[i], clocks)) return false;
    if (i > 0 && !follows(frames[i - 1], frames[i], clocks)) return false;
  }
  return true;
}

/// The time of a frame runs from the end of the previous frame to its own end: the sum is the wall time, however many
/// frames are in flight. Where runs alternate, it is the frame's CPU time plus the time from its submission until the
/// CPU saw it complete. The first frame has no previous one: its time is its CPU time plus its GPU stages.
void add_times(std::span<const FrameTimes> frames, const TimesInfo& info, RunReport& report) {
  report.device_clock_is_wrong = !is_credible(frames, info.clocks);
  std::optional<FrameTimes> previous;
  for (const FrameTimes& measured : frames) {
    const FrameTimes frame = report.device_clock_is_wrong ? without_ticks(measured) : measured;
    const GpuTimes stages = gpu_times(frame, info.clocks);
    const double alone_ms =
        frame.cpu_ms() + (info.runs_alternate || !frame.draw_ticks ? frame.submit_ms() : stages.sum_ms());
    const double frame_ms =
        info.runs_alternate || !previous ? alone_ms : ms_between_ends(*previous, frame, info.clocks);
    const auto overlap = previous ? overlap_ms(*previous, frame, info.clocks.skin) : std::nullopt;
    previous = frame;
    if (is_warmup(frame, info)) continue;
    report[Stage::kFrame].push_back(frame_ms);
    if (info.runs_alternate) report[Stage::kSubmission].push_back(frame.submit_ms());
    add_frame(frame, stages, report);
    if (overlap && info.one_queue) report.overlap_ms.push_back(*overlap);
  }
}

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
