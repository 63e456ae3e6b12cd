// Frames before the measured ones.
#pragma once

#include "gpu/host.h"
#include "host/clock.h"

namespace sinew::bench {

/// Repeats `frame`, which gives a Status, for a second, unless the device is a CPU: a GPU that had nothing to do has
/// low clocks, and raises them while it works. An H200 had a quarter of its clock for 0.3 s.
template <class SkinnerFrame>
Status warm_up(const app::Device& device, const SkinnerFrame& frame) {
  if (device.info.is_cpu()) return {};
  const host::Stopwatch watch;
  while (watch.elapsed_ms() < 1000) {
    if (Status run = frame(); !run) return run;
  }
  return {};
}

}  // namespace sinew::bench
