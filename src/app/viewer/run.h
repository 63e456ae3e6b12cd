// Runs `sinew view`: loads the characters, then shows them in a window or writes pictures.
#pragma once

#include <memory>

#include "gpu/host.h"
#include "viewer/load_files.h"
#include "viewer/view_options.h"

namespace sinew::app {

Status run_view(const ViewOptions& options);

/// Its part with a window: shows ground and sky while `loading` goes on, then the characters, and in their place others
/// that the user opens, until the window is closed; then writes --screenshot. Fails where the first files cannot be
/// shown. Main thread only.
Status show_window(const ViewOptions& options, GraphicsContext& graphics, std::unique_ptr<FileLoading> loading);

}  // namespace sinew::app
