// A trace of a run, for Perfetto and other readers of Chrome's trace format: what each thread of the CPU and each queue
// of the device did when, on one clock.
#pragma once

#include <string>
#include <vector>

#include "gpu/frame_slots.h"
#include "gpu/host.h"

namespace sinew::app {

/// Where a queue's timestamps are on the CPU's clock.
struct QueueMaps {
  ClockMap skin, draw;  // the same where there is one queue
};

/// The frames of one renderer, in order.
struct TraceRun {
  std::string title;  // "1,000 characters, compute skinning"
  std::vector<FrameTimes> frames;
  std::optional<QueueMaps> queues;  // empty: the timestamps cannot be used
  bool two_queues = false;
  std::vector<std::string> passes = {};  // their names: see DrawTicks
};

struct Trace {
  std::string device;  // its name
  std::vector<TraceRun> runs;
  std::vector<std::vector<CpuSpan>> threads;  // of the thread pool, the caller's first
};

/// The maps of a run's queues: from both clocks if they were read before and after the run, else estimated from the
/// times of submission and completion. Empty if no frame has timestamps.
std::optional<QueueMaps> map_queues(std::span<const FrameTimes> frames, const QueueClocks& clocks,
                                    const std::optional<ClockMoment>& before, const std::optional<ClockMoment>& after);

/// JSON: process 1 is the CPU, with a row for each thread; process 2 is the device, with a row for each queue. Times
/// are microseconds since the first event. An arrow leads from each submission to the device's work.
std::string to_trace(const Trace& trace);

}  // namespace sinew::app
