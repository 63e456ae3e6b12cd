// `sinew crowd`: the crowd benchmark.
#pragma once

#include <CLI/CLI.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew crowd`. Parsing it runs it and leaves what came of it in `status`.
void add_crowd_command(CLI::App& app, Status& status);

}  // namespace sinew::app
