// Checks that every variant computes correct vertices. A variant that fails ends the benchmark before it is timed.
#pragma once

#include "variants.h"

namespace sinew::bench {

/// The largest errors over all compared instances, with their bounds. NaN counts as infinite.
struct Check {
  uint64_t vertices = 0;
  double position_error = 0;                       // as a fraction of Model::diagonal
  double normal_degrees = 0, tangent_degrees = 0;  // infinite for the wrong handedness
  double position_bound = 0, normal_bound = 0;

  bool passed() const {
    return position_error <= position_bound && normal_degrees <= normal_bound && tangent_degrees <= normal_bound;
  }
};

/// Fills the output with 0xff bytes, skins once, and compares all vertices with the CPU skinner. Compares every
/// instance, or at most 200 evenly spaced ones of a large crowd. `pages` are the subject's output. Waits for the
/// device.
Result<Check> check(const app::Device& device, const Workload& workload, Subject& subject, const OutputPages& pages);

}  // namespace sinew::bench
