#include "report/stage_times.h"

namespace sinew::app {
namespace {

struct StageTimes {
  std::optional<double> upload_ms, skin_ms, draw_ms;

  double sum_ms() const { return upload_ms.value_or(0) + skin_ms.value_or(0) + draw_ms.value_or(0); }
};

StageTimes stages_of(const FrameTimes& frame, const QueueClocks& clocks) {
  StageTimes times;
  if (frame.skin_ticks) {
    const auto& [begin, uploaded, skinned] = *frame.skin_ticks;
    times.upload_ms = clocks.skin.ms_between(begin, uploaded);
    times.skin_ms = clocks.skin.ms_between(uploaded, skinned);
  }
  if (frame.draw_ticks) times.draw_ms = clocks.draw.ms_between(frame.draw_ticks->front(), frame.draw_ticks->back());
  return times;
}

bool is_credible(const FrameTimes& frame, const QueueClocks& clocks) {
  return (!frame.skin_ticks || is_credible(clocks.skin, *frame.skin_ticks, frame.submit_ms())) &&
         (!frame.draw_ticks || is_credible(clocks.draw, *frame.draw_ticks, frame.submit_ms()));
}

/// From the end of one frame to that of the next, by the device's clock if both frames have told it.
double ms_between_ends(const FrameTimes& before, const FrameTimes& frame, const QueueClocks& clocks) {
  if (!before.draw_ticks || !frame.draw_ticks) return frame.seen_ms - before.seen_ms;
  return clocks.draw.ms_between(before.draw_ticks->back(), frame.draw_ticks->back());
}

/// The earlier frame ended after it was submitted, and the later one before it was seen.
bool follows(const FrameTimes& before, const FrameTimes& frame, const QueueClocks& clocks) {
  if (!before.draw_ticks || !frame.draw_ticks) return true;
  return before.draw_ticks->back() != frame.draw_ticks->back() &&
         fits_in(ms_between_ends(before, frame, clocks), frame.seen_ms - before.submitted_ms);
}

void add_frame(const FrameTimes& frame, const StageTimes& stages, RunReport& report) {
  ++report.frames;
  report.cull_ms.push_back(frame.cull_ms);
  report.sample_ms.push_back(frame.sample_ms);
  report.record_ms.push_back(frame.record_ms);
  if (stages.draw_ms) report.draw_ms.push_back(*stages.draw_ms);
  if (frame.cpu_skin_ms) report.skin_ms.push_back(*frame.cpu_skin_ms);
  if (stages.upload_ms) report.upload_ms.push_back(*stages.upload_ms);
  if (stages.skin_ms) report.skin_ms.push_back(*stages.skin_ms);
}

FrameTimes without_ticks(FrameTimes frame) {
  frame.skin_ticks.reset(), frame.draw_ticks.reset();
  return frame;
}

}  // namespace

bool is_credible(std::span<const FrameTimes> frames, const QueueClocks& clocks) {
  for (size_t i = 0; i < frames.size(); ++i) {
    if (!is_credible(frames[i], clocks)) return false;
    if (i > 0 && !follows(frames[i - 1], frames[i], clocks)) return false;
  }
  return true;
}

/// A frame takes from the end of the one before to its own end: however many are in flight, the sum is the wall time.
/// Where runs take turns, each frame runs alone, from its first stage until the CPU has seen it done.
void add_times(std::span<const FrameTimes> frames, const TimesInfo& info, RunReport& report) {
  report.device_clock_is_wrong = !is_credible(frames, info.clocks);
  std::optional<FrameTimes> before;
  for (const FrameTimes& measured : frames) {
    const FrameTimes frame = report.device_clock_is_wrong ? without_ticks(measured) : measured;
    const StageTimes stages = stages_of(frame, info.clocks);
    const double alone_ms = frame.cpu_ms() + (info.in_turns || !frame.draw_ticks ? frame.submit_ms() : stages.sum_ms());
    const double frame_ms = info.in_turns || !before ? alone_ms : ms_between_ends(*before, frame, info.clocks);
    before = frame;
    if (frame.number <= info.warmup) continue;
    report.frame_ms.push_back(frame_ms);
    if (info.in_turns) report.submit_ms.push_back(frame.submit_ms());
    add_frame(frame, stages, report);
  }
}

}  // namespace sinew::app
