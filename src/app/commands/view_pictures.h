// The pictures of `sinew view` without a window: one, a contact sheet, or an animated one.
#pragma once

#include "commands/view_drawing.h"
#include "commands/view_options.h"
#include "overlay/interface.h"
#include "view/view_actions.h"

namespace sinew::app {

/// Draws the viewer as it is now with its labels, and reads the picture back: RGBA, rows from the top. `panels`: null
/// without panels.
Result<std::vector<uint8_t>> draw_picture(const GraphicsContext& graphics, Viewer& viewer, ViewDrawing& drawing,
                                          Interface& interface, const Orbit& camera, ViewControls* panels);

/// The camera that the options ask for, for a picture whose middle has `aspect` that is free, width / height.
Orbit camera_for(const ViewOptions& options, const Viewer& viewer, float aspect);

/// Writes --screenshot and --record.
Status write_pictures(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer);

}  // namespace sinew::app
