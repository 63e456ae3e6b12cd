// Where the controls of the overlay are, for programs that use it from outside, such as tests.
//
// With the environment variable SINEW_CONTROLS=FILE every frame writes that file: a line "frame NUMBER", then a line
// "left top right bottom name" for each visible control, in pixels of the window.
#pragma once

#include <string>

namespace sinew::app {

/// Names the control that was added last.
void mark_control(const std::string& name);

/// The same for a rectangle, in pixels.
void mark_control(const std::string& name, float left, float top, float right, float bottom);

/// Writes the marks of this frame if SINEW_CONTROLS is set, and forgets them.
void write_controls();

}  // namespace sinew::app
