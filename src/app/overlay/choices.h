// Switches of panels: buttons of which one is chosen, and check boxes. Each is marked for tests (overlay/controls.h).
// Between Interface::begin() and end().
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sinew::app {

/// The part of a panel's width that names of rows take.
inline constexpr float kNameShare = 0.34f;

/// One value of a row of buttons.
struct Choice {
  const char* word;
  bool chosen = false;
};

/// A row of buttons, or several with `columns` buttons each. Returns the index of the button that was clicked, or -1.
/// The marks of the buttons are "name word".
int add_choices(const char* name, std::span<const Choice> choices, int columns);

/// A list that opens and shows `shown` while it is closed. Returns the index of the item that was clicked, or -1. Its
/// mark is `mark`; those of its items are "mark: item".
int add_list(const char* name, const std::string& mark, const std::string& shown, std::span<const std::string> items);

/// The same for an index, or an enum whose values are the items in order. Returns whether `value` was changed.
template <class Value>
bool add_list(const char* name, const std::string& mark, std::span<const std::string> items, Value& value) {
  const int clicked = add_list(name, mark, items[size_t(value)], items);
  if (clicked < 0 || Value(clicked) == value) return false;
  value = Value(clicked);
  return true;
}

/// In the left or the right half of a row. The mark is the name. `enabled` false: gray, and cannot be clicked.
enum class Half { kLeft, kRight };
void add_check(const char* name, bool& value, Half half = Half::kLeft, bool enabled = true);

/// A section that can be closed; open at first. Returns whether it is open.
bool add_section(const char* name);

/// A name, and a value at the right edge; on a line of its own if it is long.
void add_row(const char* name, const char* value);

}  // namespace sinew::app
