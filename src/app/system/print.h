// Standard output, and what becomes of it.
#pragma once

#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Descriptors 0 to 2 that nobody opened are taken, so that no file of ours gets their number: what is then written to
/// standard output fails. Call it first of all.
void reserve_standard_streams();

/// Writes to standard output at once. Fails where that is full, closed or otherwise not to be written.
Status print(std::string_view text);

}  // namespace sinew::app
