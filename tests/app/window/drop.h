// Drops files on a window as a file manager does, by the protocol XDND of X11.
#pragma once

#include <string>
#include <vector>

namespace sinew::test {

/// Whether this program was built with X11.
bool can_drop();

/// Drops files on the first window of the display that takes some. False: none does, or it did not finish within some
/// seconds.
bool drop_files(const std::string& display, const std::vector<std::string>& paths);

}  // namespace sinew::test
