// `sinew info`: the content of a character file.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew info FILE`, which prints the content of a file and what import changed in it. The command runs while
/// `app` parses; its result is stored in `status`, which must outlive the parsing.
void add_info_command(CLI::App& app, Status& status);

}  // namespace sinew::app
