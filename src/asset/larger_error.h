// The largest of several errors, when one of them may be NaN.
#pragma once

#include <cmath>
#include <limits>

namespace sinew::internal {

/// The larger of both. NaN counts as infinite, so that it is above every bound: std::max() would drop it.
inline double larger_error(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  return a < b ? b : a;
}

}  // namespace sinew::internal
