// `sinew crowd`: the crowd benchmark.
#pragma once

#include <CLI/CLI.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew crowd`. The command runs while `app` parses; its result is stored in `status`, and the exit code of a
/// failure in `failure_code`: 2 for runs that cannot be compared, else 1. Both must outlive the parsing.
void add_crowd_command(CLI::App& app, Status& status, int& failure_code);

}  // namespace sinew::app
