// What keys do in the window of `sinew view`: one table, of which the panels show a list.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "view/viewer.h"

namespace sinew::app {

struct Action {
  const char* keys;        // as the list names them
  const char* does;        // as the list says it
  std::vector<Key> codes;  // in the order of `keys`; empty: the window moves the camera by them
  void (*press)(Viewer& viewer, size_t key, const KeyPress& press) = nullptr;  // `key`: an index in `codes`
};

/// In the order of the list.
std::span<const Action> view_actions();

/// Does what the table says.
void press_key(Viewer& viewer, const KeyPress& press);

}  // namespace sinew::app
