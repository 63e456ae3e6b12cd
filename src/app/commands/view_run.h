// Runs `sinew view`: loads the characters, then shows them in a window or writes pictures.
#pragma once

#include "commands/view_options.h"
#include "gpu/host.h"
#include "sinew/asset/result.h"
#include "view/viewer.h"

namespace sinew::app {

Status run_view(const ViewOptions& options);

// Its two halves; the viewer is as the options have it but for its camera.

/// Writes --screenshot and --record.
Status write_pictures(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer);

/// Shows the characters until the window is closed, then writes --screenshot. Main thread only.
Status show_viewer(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer);

/// Sets the camera of the options, which frames the characters in Viewer::free_aspect.
void set_camera(const ViewOptions& options, Viewer& viewer);

}  // namespace sinew::app
