// Options of all commands that load a character.
#pragma once

#include <CLI/App.hpp>

#include "scene/load.h"

namespace sinew::app {

/// Adds --animation, --isolate and the limits of isolated imports, which on a command line are on.
void add_load_options(CLI::App& command, LoadOptions& options);

}  // namespace sinew::app
