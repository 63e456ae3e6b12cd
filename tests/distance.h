// How far points are apart.
#pragma once

#include <cmath>
#include <span>

#include "sinew/asset/math.h"

namespace sinew::test {

/// The largest distance between two lists of points; infinite if they differ in length, NaN if one of them is.
inline float largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  if (a.size() != b.size()) return INFINITY;
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float distance = length(a[i] - b[i]);
    largest = distance <= largest ? largest : distance;  // NaN stays
  }
  return largest;
}

}  // namespace sinew::test
