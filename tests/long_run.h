// Tests that do more in the long run: sinew_test(... LONGER ...) in tests/CMakeLists.txt.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace sinew::test {

/// Whether `scripts/test --long` runs the test: it then tries every case instead of one of each kind.
inline bool is_long_run() { return std::getenv("SINEW_LONG") != nullptr; }

/// All cases in the long run, else the first `count`: put one of each kind first.
template <class Case>
std::vector<Case> some_of(std::vector<Case> cases, size_t count) {
  if (!is_long_run()) cases.resize(std::min(count, cases.size()));
  return cases;
}
template <class Case>
std::vector<Case> some_of(std::initializer_list<Case> cases, size_t count) {
  return some_of(std::vector<Case>(cases), count);
}

/// Whether a combination of options, each counted from 0, is left to the long run. Half of them are; those that stay
/// have each pair of values.
inline bool is_left_out(int first, int second, int third) {
  return !is_long_run() && (first + second + third) % 2 != 0;
}

}  // namespace sinew::test
