// The window of `sinew view`: what its keys do, labels, and panels for what plays, what is shown, the joints, the
// import report and the time line.
#pragma once

#include <span>
#include <string>

#include "gpu/host.h"
#include "viewer/viewer.h"
#include "window/actions.h"
#include "window/interface.h"

namespace sinew::app {

/// In the order of the list.
std::span<const Action<Viewer>> view_actions();

/// Sets Viewer::free_aspect for a picture of this size and an interface of this scale.
void set_free_aspect(uint32_t width, uint32_t height, float scale, Viewer& viewer);

/// A whole frame of the overlay: labels of grid and joints, and the panels if they are not hidden. Clicks on
/// their controls change `viewer`. Valid until the next frame of `interface`.
const Overlay& draw_view_overlay(const View& view, Viewer& viewer, Interface& interface);

inline constexpr float kControlShare = 0.62f;  // of a panel's width; the rest is for the names

// Its parts, between Interface::begin() and end(). `scale` is that of the interface.

void draw_clips(Viewer& viewer);          // with their filter; needs end_rest() at the end of the panel
void draw_playing_panel(Viewer& viewer);  // clips, playback
void draw_layers_panel(Viewer& viewer);
void draw_morph_panel(Viewer& viewer);
void draw_show_panel(Viewer& viewer);
void draw_joints_panel(Viewer& viewer);
void draw_time_line(Viewer& viewer, float scale);
void draw_import_panel(const ImportReport& report);
/// The name of the tab, with the number of things that import repaired, computed or lost: "Import (3)".
std::string import_title(const ImportReport& report);

// The panel in which a user chooses a file.

/// A key while the list is open: Enter, Backspace, Escape, Up, Down. Letters go to the filter, by Dear ImGui.
void press_key_of_list(Viewer& viewer, const KeyPress& press);

/// Adds the panel, between Interface::begin() and end(), while Viewer::file_list is there. A file that is chosen is in
/// Viewer::open. `scale` is that of the interface.
void draw_file_list(Viewer& viewer, float scale);

}  // namespace sinew::app
