// One run of the crowd benchmark.
#pragma once

#include "crowd/options.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// Loads the models, draws the frames, measures the stages, and validates and writes what `options` request. Prints the
/// report to standard output. Creates the Vulkan device and owns it until it returns. One call at a time in a process;
/// with a window on the main thread only. `failure_code` is the exit code of a failure: 2 for runs that cannot be
/// compared, else 1.
Status run_crowd(CrowdOptions options, int& failure_code);

}  // namespace sinew::app
