// The panel in which a user chooses a file.
#pragma once

#include "gpu/host.h"
#include "viewer/viewer.h"

namespace sinew::app {

/// A key while the list is open: Enter, Backspace, Escape, Up, Down. Letters go to the filter, by Dear ImGui.
void press_key_of_list(Viewer& viewer, const KeyPress& press);

/// Adds the panel, between Interface::begin() and end(), while Viewer::file_list is there. A file that is chosen is in
/// Viewer::open. `scale` is that of the interface.
void draw_file_list(Viewer& viewer, float scale);

}  // namespace sinew::app
