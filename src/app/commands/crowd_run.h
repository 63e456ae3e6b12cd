// One run of the crowd benchmark.
#pragma once

#include "commands/crowd_options.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// Loads, draws, measures, checks and writes what was asked for. Prints as it goes.
Status run_crowd(const CrowdOptions& options);

}  // namespace sinew::app
