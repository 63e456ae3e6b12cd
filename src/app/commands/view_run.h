// Runs `sinew view`: loads the characters, then shows them in a window or writes pictures.
#pragma once

#include "commands/view_options.h"
#include "sinew/asset/result.h"

namespace sinew::app {

Status run_view(const ViewOptions& options);

}  // namespace sinew::app
