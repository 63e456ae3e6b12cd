#include "crowd/report/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "system/machine_report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStageNames[] = {
    "wait for a slot", "cull", "prepare skinning", "sample", "skin", "prepare draws", "record", "submit"};
static_assert(std::size(kStageNames) == size_t(CpuStage::kCount));
constexpr int kCpu = 1, kDevice = 2;                     // processes
constexpr int kMainThread = 1, kQueue = 1, kSecond = 2;  // rows of them; thread i of the pool is row i + 1

/// The events of a trace as text, one a line.
class Events {
 public:
  explicit Events(double start_ms) : start_ms_(start_ms) {}

  void add_name(const char* what, int process, int row, const std::string& name) {
    add("M", what, process, row, {{"args", {{"name", printable(name)}}}});
  }

  void add_span(const std::string& name, int process, int row, const CpuSpan& span, Json arguments = Json::object()) {
    const double duration = nanoseconds_exact(std::max(span.ms(), 0.0) * 1000);
    add("X", name, process, row,
        {{"ts", microseconds(span.begin_ms)}, {"dur", duration}, {"args", std::move(arguments)}});
  }

  /// One end of an arrow; it belongs to the span around that moment.
  void add_arrow(bool begins, size_t id, int process, int row, double at_ms) {
    add(begins ? "s" : "f", "submission", process, row,
        {{"bp", "e"}, {"cat", "frame"}, {"id", id}, {"ts", microseconds(at_ms)}});
  }

  double microseconds(double at_ms) const { return nanoseconds_exact((at_ms - start_ms_) * 1000); }

  std::string take() { return std::move(lines_); }

 private:
  static double nanoseconds_exact(double microseconds) { return std::round(microseconds * 1000) / 1000; }

  void add(const char* phase, const std::string& name, int process, int row, const Json& members) {
    Json event = {{"ph", phase}, {"name", printable(name)}, {"pid", process}, {"tid", row}};
    event.update(members);
    lines_ += (lines_.empty() ? "\n" : ",\n") + event.dump();
  }

  double start_ms_;
  std::string lines_;
};

/// From the first stage of a frame to the last.
CpuSpan whole(const FrameTimes& frame) {
  CpuSpan all;
  for (const CpuSpan& span : frame.spans) {
    if (!span) continue;
    if (!all) all = span;
    all.begin_ms = std::min(all.begin_ms, span.begin_ms), all.end_ms = std::max(all.end_ms, span.end_ms);
  }
  return all;
}

void add_cpu(const TraceRun& run, const FrameTimes& frame, size_t id, Events& events) {
  events.add_span("frame " + std::to_string(frame.number), kCpu, kMainThread, whole(frame),
                  {{"run", printable(run.title)},
                   {"frame", frame.number},
                   {"seen complete at us", events.microseconds(frame.completed_ms)}});
  for (size_t stage = 0; stage < frame.spans.size(); ++stage) {
    if (frame.spans[stage]) events.add_span(kStageNames[stage], kCpu, kMainThread, frame.spans[stage]);
  }
  const CpuSpan& submit = frame.span(CpuStage::kSubmit);
  if (run.queues && submit) events.add_arrow(true, id, kCpu, kMainThread, submit.begin_ms);
}

void add_device(const TraceRun& run, const FrameTimes& frame, size_t id, Events& events) {
  if (!run.queues) return;
  const Json arguments = {{"frame", frame.number}};
  std::optional<double> first_ms;
  const int skin_row = run.two_queues ? kSecond : kQueue;
  if (frame.skin_ticks) {
    const ClockMap& map = run.queues->skin;
    const auto& [begin, uploaded, skinned] = *frame.skin_ticks;
    events.add_span("upload", kDevice, skin_row, {map.cpu_ms(begin), map.cpu_ms(uploaded)}, arguments);
    events.add_span("skin", kDevice, skin_row, {map.cpu_ms(uploaded), map.cpu_ms(skinned)}, arguments);
    first_ms = map.cpu_ms(begin);
  }
  if (frame.draw_ticks) {
    const CpuSpan draw{run.queues->draw.cpu_ms(frame.draw_ticks->front()),
                       run.queues->draw.cpu_ms(frame.draw_ticks->back())};
    events.add_span("draw", kDevice, kQueue, draw, arguments);
    const auto ticks = frame.draw_ticks->span();
    for (size_t i = 0; i + 1 < ticks.size() && i < run.passes.size(); ++i) {
      const ClockMap& map = run.queues->draw;
      events.add_span(run.passes[i], kDevice, kQueue, {map.cpu_ms(ticks[i]), map.cpu_ms(ticks[i + 1])}, arguments);
    }
    if (!first_ms) first_ms = draw.begin_ms;
  }
  if (first_ms) events.add_arrow(false, id, kDevice, frame.skin_ticks ? skin_row : kQueue, *first_ms);
}

/// The stages of the calling thread by their begin: what other threads do meanwhile is named by them.
using Stages = std::map<double, std::pair<double, const char*>>;  // begin, end, name

Stages stages_of(const Trace& trace) {
  Stages stages;
  for (const TraceRun& run : trace.runs) {
    for (const FrameTimes& frame : run.frames) {
      for (size_t stage = 0; stage < frame.spans.size(); ++stage) {
        const CpuSpan& span = frame.spans[stage];
        if (span) stages[span.begin_ms] = {span.end_ms, kStageNames[stage]};
      }
    }
  }
  return stages;
}

/// The stage at a moment; between frames, characters move.
const char* stage_at(const Stages& stages, double at_ms) {
  const auto after = stages.upper_bound(at_ms);
  if (after == stages.begin()) return "move";
  const auto& [end_ms, name] = std::prev(after)->second;
  return end_ms < at_ms ? "move" : name;
}

/// The caller's own tasks are within its stages.
void add_threads(const Trace& trace, double start_ms, double end_ms, Events& events) {
  const Stages stages = stages_of(trace);
  for (size_t thread = 1; thread < trace.threads.size(); ++thread) {
    const int row = kMainThread + int(thread);
    events.add_name("thread_name", kCpu, row, text("worker %zu", thread));
    for (const CpuSpan& span : trace.threads[thread]) {
      if (span.begin_ms < start_ms || span.begin_ms > end_ms) continue;  // loading, not drawing
      events.add_span(stage_at(stages, span.begin_ms), kCpu, row, span);
    }
  }
}

std::string describe_clock(const Trace& trace) {
  double uncertainty_ms = 0;
  bool is_calibrated = true, any = false;
  for (const TraceRun& run : trace.runs) {
    if (!run.queues) continue;
    any = true;
    is_calibrated = is_calibrated && run.queues->draw.is_calibrated;
    uncertainty_ms = std::max({uncertainty_ms, run.queues->skin.uncertainty_ms, run.queues->draw.uncertainty_ms});
  }
  if (!any) return "the device has no timestamps that can be trusted: the CPU alone";
  return text(is_calibrated ? "calibrated timestamps, +-%.4f ms"
                            : "the device's work is placed between submission and completion, +-%.4f ms",
              uncertainty_ms);
}

/// The submissions with timestamps of one kind.
template <class Ticks>
std::vector<SubmittedTicks> submissions(std::span<const FrameTimes> frames, std::optional<Ticks> FrameTimes::*ticks) {
  std::vector<SubmittedTicks> all;
  for (const FrameTimes& frame : frames) {
    const std::optional<Ticks>& written = frame.*ticks;
    if (written) all.push_back({written->front(), written->back(), frame.submitted_ms, frame.completed_ms});
  }
  return all;
}

}  // namespace

std::optional<QueueMaps> map_queues(std::span<const FrameTimes> frames, const QueueClocks& clocks,
                                    const std::optional<ClockMoment>& before, const std::optional<ClockMoment>& after) {
  const std::vector<SubmittedTicks> draws = submissions(frames, &FrameTimes::draw_ticks);
  const std::vector<SubmittedTicks> skins = submissions(frames, &FrameTimes::skin_ticks);
  if (draws.empty()) return {};
  if (before && after)
    return QueueMaps{map_clock(clocks.skin, *before, *after), map_clock(clocks.draw, *before, *after)};
  const ClockMap draw = map_clock(clocks.draw, draws);
  return QueueMaps{skins.empty() ? draw : map_clock(clocks.skin, skins), draw};
}

std::string to_trace(const Trace& trace) {
  double start_ms = std::numeric_limits<double>::max(), end_ms = 0;
  for (const TraceRun& run : trace.runs) {
    for (const FrameTimes& frame : run.frames) {
      start_ms = std::min(start_ms, whole(frame).begin_ms);
      end_ms = std::max({end_ms, frame.completed_ms, whole(frame).end_ms});
    }
  }
  Events events(start_ms);
  events.add_name("process_name", kCpu, kMainThread, "CPU");
  events.add_name("thread_name", kCpu, kMainThread, "main");
  events.add_name("process_name", kDevice, kQueue, trace.device);
  events.add_name("thread_name", kDevice, kQueue, "queue");
  const auto has_second = [](const TraceRun& run) { return run.two_queues; };
  if (std::any_of(trace.runs.begin(), trace.runs.end(), has_second))
    events.add_name("thread_name", kDevice, kSecond, "second queue");
  size_t id = 0;
  for (const TraceRun& run : trace.runs) {
    for (const FrameTimes& frame : run.frames) {
      add_cpu(run, frame, ++id, events);
      add_device(run, frame, id, events);
    }
  }
  add_threads(trace, start_ms, end_ms, events);
  const BuildReport build = this_build();
  const Json about = {
      {"version", "sinew " + build.version}, {"commit", build.commit}, {"device clock", describe_clock(trace)}};
  return R"({"displayTimeUnit":"ms","otherData":)" + about.dump() + R"(,"traceEvents":[)" + events.take() + "\n]}\n";
}

}  // namespace sinew::app
