// `sinew pose`: one moment of a clip as a file.
#pragma once

#include <CLI/App.hpp>

#include "sinew/asset/result.h"

namespace sinew::app {

/// `sinew pose FILE`: a character's skinned vertices at one moment, as PLY. How it went ends in `status`.
void add_pose_command(CLI::App& app, Status& status);

}  // namespace sinew::app
