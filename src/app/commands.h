// The commands of the program.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

// The commands of the program but `sinew view`.

// Each adds a command, which runs while `app` parses. Its result is stored in `status`, which must outlive the parsing.

/// `sinew crowd`. `failure_code` gets the exit code of a failure where it is not 1; it must outlive the parsing too.
void add_crowd_command(CLI::App& app, Status& status, int& failure_code);
/// `sinew info FILE`: prints the content of a file and what import changed in it.
void add_info_command(CLI::App& app, Status& status);
/// `sinew pose FILE --output OUT.ply`: skins a character at one time of a clip.
void add_pose_command(CLI::App& app, Status& status);
/// `sinew bake FILE --output OUT.sinew`.
void add_bake_command(CLI::App& app, Status& status);
/// `sinew devices`: lists the Vulkan devices.
void add_devices_command(CLI::App& app, Status& status);

// The command `sinew view`: characters as their files have them, in a window or as pictures.

/// Adds the command. It runs while `app` parses; `status` then holds its result, and must outlive the parsing.
void add_view_command(CLI::App& app, Status& status);

}  // namespace sinew::app
