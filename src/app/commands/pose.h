// `sinew pose`: one pose of a clip, written as a PLY file.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Adds `sinew pose FILE`, which writes a character's skinned vertices at one time of a clip, as PLY. The command runs
/// while `app` parses; its result is stored in `status`, which must outlive the parsing.
void add_pose_command(CLI::App& app, Status& status);

}  // namespace sinew::app
