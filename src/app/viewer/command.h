// The command `sinew view`: characters as their files have them, in a window or as pictures.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds the command. It runs while `app` parses; `status` then holds its result, and must outlive the parsing.
void add_view_command(CLI::App& app, Status& status);

}  // namespace sinew::app
