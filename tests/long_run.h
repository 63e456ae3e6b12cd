// Tests that do more in the long run: sinew_test(... LONGER ...) in tests/CMakeLists.txt.
#pragma once

#include <cstdlib>

namespace sinew::test {

/// Whether `scripts/test --long` runs the test: it then tries every case instead of one of each kind.
inline bool is_long_run() { return std::getenv("SINEW_LONG") != nullptr; }

}  // namespace sinew::test
