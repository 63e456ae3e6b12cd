// What keys do in a window, as a table: it finds what a key does, and is the list that F1 opens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/host.h"

namespace sinew::app {

struct PressedKey {
  size_t index;  // in Action::codes
  bool shift;
  int sign() const { return index == 0 ? -1 : 1; }
};

/// What a key does to the state of a window, or what the mouse does.
template <class State>
struct Action {
  const char* keys;        // as the list names them
  const char* does;        // as the list says it
  std::vector<Key> codes;  // in the order of `keys`; empty: the window does it
  void (*press)(State& state, PressedKey key) = nullptr;
  bool control = false;  // only with the key Ctrl; else only without
};

/// "BN": the keys B and N.
inline std::vector<Key> keys_of(std::string_view letters) {
  std::vector<Key> keys;
  for (char letter : letters) keys.push_back(Key(letter));
  return keys;
}

/// Does what the table says.
template <class State>
void press_key(std::span<const Action<State>> actions, State& state, const KeyPress& press) {
  for (const Action<State>& action : actions) {
    const auto key = std::ranges::find(action.codes, press.key);
    if (key != action.codes.end() && action.control == press.control)
      action.press(state, {size_t(key - action.codes.begin()), press.shift});
  }
}

/// What Escape says where there is nothing to close but the window.
inline constexpr const char* kHowToQuit = "Ctrl+Q closes the window";

/// A panel with the list, until `open` is false. The words are those of Action. `scale` is that of the interface.
void add_key_list(std::span<const std::pair<const char*, const char*>> words, bool& open, float scale);

template <class State>
void add_key_list(std::span<const Action<State>> actions, bool& open, float scale) {
  if (!open) return;
  std::vector<std::pair<const char*, const char*>> words;
  for (const Action<State>& action : actions) words.emplace_back(action.keys, action.does);
  add_key_list(words, open, scale);
}

}  // namespace sinew::app
