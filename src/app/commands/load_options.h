// Command-line options that all commands share that load a character.
#pragma once

#include <CLI/App.hpp>

#include "scene/load.h"

namespace sinew::app {

/// Adds --animation, --isolate and the limits of an isolated import. Sets `options` to isolated imports by this
/// program, the default on a command line. `options` must outlive the parsing.
void add_load_options(CLI::App& command, LoadOptions& options);

}  // namespace sinew::app
