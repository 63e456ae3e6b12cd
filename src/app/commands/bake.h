// `sinew bake`: any character file becomes a `.sinew`.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// `sinew bake FILE --output OUT.sinew`: the character as it is, and its clips baked. How it went ends in `status`.
void add_bake_command(CLI::App& app, Status& status);

}  // namespace sinew::app
