// `sinew crowd`: the crowd benchmark.
#pragma once

#include <CLI/CLI.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew crowd`. The command runs while `app` parses; its result is stored in `status`, which must outlive the
/// parsing.
void add_crowd_command(CLI::App& app, Status& status);

}  // namespace sinew::app
