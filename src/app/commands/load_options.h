// Command-line options that all commands share that load a character.
#pragma once

#include <CLI/App.hpp>

#include "scene/load.h"

namespace sinew::app {

/// Adds --animation, --retarget, --isolate, --verbose and the limits of an isolated import. Sets `options` to isolated
/// imports, the default on a command line; the import worker is beside this program. `options` must outlive the
/// parsing.
void add_load_options(CLI::App& command, LoadOptions& options);

/// Adds --blend.
void add_blend_option(CLI::App& command, LoadOptions& options);

}  // namespace sinew::app
