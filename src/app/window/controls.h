// The controls that panels consist of. Between Interface::begin() and end().
//
// Each is marked by a name, for programs that use the overlay from outside, such as tests: with the environment
// variable SINEW_CONTROLS=FILE every frame writes that file: a line "frame NUMBER", then a line "left top right bottom
// name" for each visible control, in pixels of the window.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sinew::app {

/// Names the control that was added last.
void mark_control(const std::string& name);

/// Names the title of the panel that was begun last. begin_panel() names it "panel NAME".
void mark_panel(const std::string& name);

inline constexpr float kPanelMargin = 8;  // around panels; pixels at a scale of 1

/// Whether panels are titles in a picture of this size, until the user opens one. `scale` is that of the interface.
bool is_small_picture(float width, float height, float scale);

/// Begins a panel that the user cannot move: ImGui::End() must follow. `flags` are ImGuiWindowFlags. Returns whether
/// its content shows.
bool begin_panel(const char* name, float scale, int flags = 0);

/// Begins a panel in the middle of the picture, at most nine tenths of it: ImGui::End() must follow. Width and height
/// are pixels at a scale of 1. `open`: null, or false after a click on its cross. Returns whether its content shows.
bool begin_centered_panel(const char* title, bool* open, float width, float height, float scale);

/// Writes the marks of this frame if SINEW_CONTROLS is set, and forgets them.
void write_controls();

/// Text that wraps at the panel's edge; marked if it has a mark.
void add_text(const std::string& text, const char* mark = nullptr);

/// A button. Returns whether it was clicked. The mark is its word if none is given.
bool add_button(const char* word, const std::string& mark = {});

/// One button of a row: `index` 0 adds the name of the row too. There are `columns` buttons in a line. Returns whether
/// it was clicked. The mark is "name word".
bool add_choice(const char* name, int index, int columns, const char* word, bool chosen);

/// A list that opens and shows `shown` while it is closed. Escape closes it. Returns the index of the item that was
/// clicked, or -1. Its mark is `mark`; those of its items are "mark: item".
int add_list(const char* name, const std::string& mark, const std::string& shown, std::span<const std::string> items);

/// The same for an index, or an enum whose values are the items in order. Returns whether `value` was changed.
template <class Value>
bool add_list(const char* name, const std::string& mark, std::span<const std::string> items, Value& value) {
  const int clicked = add_list(name, mark, items[size_t(value)], items);
  if (clicked < 0 || Value(clicked) == value) return false;
  value = Value(clicked);
  return true;
}

/// A check box. The mark is the name if none is given. `enabled` false: gray, and cannot be clicked.
void add_check(const char* name, bool& value, bool enabled = true, const std::string& mark = {});

/// The next control stands in the right half of the row.
void to_right_half();

void add_slider(const char* name, float& value, float low, float high, const char* format, const std::string& mark);

/// Gives the keys to the control that is added next, one or two frames later.
void focus_next_control();

/// A line of text that the user may change; `hint` is shown while it is empty. Enter ends it, Escape empties it.
/// Returns whether Enter was pressed.
bool add_text_field(const char* name, const char* hint, std::string& value, const std::string& mark);

/// A number that a panel keeps from one frame to the next; `first` in its first one.
float& kept(const char* name, float first = 0);

// One list of a panel may be as high as the rest of the panel leaves it: a child of height_left(), then begin_rest(),
// what follows in the panel, and end_rest().

/// The height between here and the lower edge of the panel without the rest, as high as it was in the last frame; at
/// least `least`.
float height_left(float least);
void begin_rest();
void end_rest();

/// A section that can be closed; open at first. Returns whether it is open.
bool add_section(const char* name, bool open = true);

/// A name, and a value at the right edge; on a line of its own if it is long.
void add_row(const char* name, const std::string& value);

/// A square of a color as the overlay has it, and what the color means.
void add_swatch(uint32_t srgb, const std::string& meaning);

/// Colors of the crowd are linear, those of the overlay are sRGB; rgba8, opaque.
uint32_t srgb_color(uint32_t linear);

/// The colors of levels of detail, and of numbers of influences up to the largest of a mesh.
void add_level_legend(size_t levels);
void add_influence_legend(uint32_t max_influences);

}  // namespace sinew::app
