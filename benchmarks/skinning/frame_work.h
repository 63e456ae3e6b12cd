// What a frame does on the CPU besides skinning: evaluating the crowd, and converting palettes where the device does
// not.
#pragma once

#include <vector>

#include "report.h"
#include "workload.h"

namespace sinew::bench {

/// The median; reorders the values. There must be one.
double median(std::vector<double>& values);

/// Measures the CPU's part of the work `frames` times each, in turn.
Result<FrameWork> measure_work(const Workload& workload, uint32_t frames);

}  // namespace sinew::bench
