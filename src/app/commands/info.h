// `sinew info`: what is in a character file.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// `sinew info FILE`: what is in a file, and what import did to it. How it went ends in `status`.
void add_info_command(CLI::App& app, Status& status);

}  // namespace sinew::app
