// Standard output and its errors.
#pragma once

#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Opens those of descriptors 0 to 2 that are closed, so that no file of the program gets their number. Output to a
/// closed standard output then fails; so does output above the limit on the size of files, in place of a signal that
/// would end the program. Call it first in main().
void reserve_standard_streams();

/// Writes to standard output and flushes it. Fails where standard output is full, closed or not writable.
Status print(std::string_view text);

}  // namespace sinew::app
