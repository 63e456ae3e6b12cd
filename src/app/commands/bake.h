// `sinew bake`: converts any character file to a `.sinew` file.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew bake FILE --output OUT.sinew`, which writes the unchanged character and its baked clips. The command
/// runs while `app` parses; its result is stored in `status`, which must outlive the parsing.
void add_bake_command(CLI::App& app, Status& status);

}  // namespace sinew::app
