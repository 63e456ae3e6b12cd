// The overlay of `sinew view`: labels, and panels for what plays, what is shown, the joints, the import report and the
// time line.
#pragma once

#include "overlay/interface.h"
#include "view/view_actions.h"

namespace sinew::app {

/// The width that the panels of a picture leave free, in pixels.
float width_beside_panels(uint32_t width, uint32_t height, float scale);

/// A whole frame of the overlay: labels of grid and joints, and the panels if they are not hidden. Clicks on
/// their controls change `viewer` and `controls`. Valid until the next frame of `interface`.
const Overlay& draw_view_overlay(const View& view, Viewer& viewer, ViewControls& controls, Interface& interface);

// Its parts, between Interface::begin() and end(). `scale` is that of the interface.
void draw_view_panels(Viewer& viewer, ViewControls& controls, float scale);
void draw_playing_panel(Viewer& viewer, ViewControls& controls);  // clips, playback
void draw_layers_panel(Viewer& viewer, ViewControls& controls);
void draw_show_panel(Viewer& viewer, ViewControls& controls);
void draw_joints_panel(Viewer& viewer);
void draw_report_panel(const Viewer& viewer);
void draw_time_line(Viewer& viewer, float scale);

}  // namespace sinew::app
