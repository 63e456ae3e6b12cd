// That every variant computes what it claims, so that nonsense is never quoted.
#pragma once

#include "variants.h"

namespace sinew::bench {

/// The worst of the instances compared. What is no number counts as infinite.
struct Check {
  uint64_t vertices = 0;
  double position_error = 0;                       // of the diagonal
  double normal_degrees = 0, tangent_degrees = 0;  // of the other hand: infinite
  double position_bound = 0, normal_bound = 0;

  bool passed() const {
    return position_error <= position_bound && normal_degrees <= normal_bound && tangent_degrees <= normal_bound;
  }
};

/// Poisons the output, skins once, and compares with the CPU skinner: every vertex of every instance, of large crowds
/// those of 200 instances that lie evenly in it.
Result<Check> check(const app::Device& device, const Workload& workload, Subject& subject, const OutputPages& pages);

}  // namespace sinew::bench
