// The panels of `sinew view`: what plays, what is shown, the joints, the import report, and the time line. Between
// Interface::begin() and end().
#pragma once

#include "view/view_actions.h"

namespace sinew::app {

/// The part of a picture that panels leave free, in pixels: its width, and its height from the top.
struct FreeRoom {
  float width = 1, height = 1;
};
FreeRoom room_beside_panels(uint32_t width, uint32_t height, float scale);

/// Draws all panels, and does what their controls are asked to do. `scale` is that of the interface.
void draw_view_panels(Viewer& viewer, ViewControls& controls, float scale);

// Its parts:
void draw_playing_panel(Viewer& viewer, ViewControls& controls);  // clips, playback
void draw_layers_panel(Viewer& viewer, ViewControls& controls);
void draw_seeing_panel(Viewer& viewer, ViewControls& controls);
void draw_joints_panel(Viewer& viewer);
void draw_report_panel(const Viewer& viewer);
void draw_time_line(Viewer& viewer, float scale);

}  // namespace sinew::app
