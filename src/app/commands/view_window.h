// `sinew view` in a window.
#pragma once

#include "commands/view_options.h"
#include "gpu/host.h"
#include "view/viewer.h"

namespace sinew::app {

/// Shows the characters until the window is closed, then writes --screenshot. Main thread only.
Status show_viewer(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer);

}  // namespace sinew::app
