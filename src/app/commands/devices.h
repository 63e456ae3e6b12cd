// `sinew devices`: what Vulkan offers here.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// `sinew devices`: the Vulkan devices, and which will do. How it went ends in `status`.
void add_devices_command(CLI::App& app, Status& status);

}  // namespace sinew::app
