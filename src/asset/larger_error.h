// The largest of several errors, when one of them may be NaN.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace sinew::internal {

/// The larger of both. NaN counts as infinite, so that it is above every bound: std::max() would drop it.
template <class Number>
Number larger_error(Number a, std::type_identity_t<Number> b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Number>::infinity();
  return a < b ? b : a;
}

}  // namespace sinew::internal
