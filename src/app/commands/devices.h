// `sinew devices`: lists the Vulkan devices of this machine.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew devices`, which lists the Vulkan devices and says which of them can be used. The command runs while
/// `app` parses; its result is stored in `status`, which must outlive the parsing.
void add_devices_command(CLI::App& app, Status& status);

}  // namespace sinew::app
