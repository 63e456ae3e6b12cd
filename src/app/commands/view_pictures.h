// The pictures of `sinew view` without a window: one, a contact sheet, or an animated one.
#pragma once

#include "commands/view_drawing.h"
#include "commands/view_options.h"
#include "overlay/interface.h"
#include "view/view_actions.h"

namespace sinew::app {

/// What each picture of one run is made of, in a window or without.
struct ViewState {
  const ViewOptions& options;
  GraphicsContext& graphics;
  Viewer& viewer;
  ViewDrawing& drawing;
  Interface& interface;
  ViewControls controls;
};

/// The controls as they are at the start.
ViewControls make_controls(const ViewOptions& options, const ViewDrawing& drawing);

/// Draws the viewer as it is now with its labels, and with its panels if they are not hidden. Reads the picture back:
/// RGBA, rows from the top.
Result<std::vector<uint8_t>> draw_picture(ViewState& state, const Orbit& camera);

/// The camera of the options. `aspect`: the width that panels leave free / the height of the picture.
Orbit camera_for(const ViewOptions& options, const Viewer& viewer, float aspect);

/// Writes --screenshot and --record.
Status write_pictures(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer);

}  // namespace sinew::app
