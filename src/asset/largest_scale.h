// How much a matrix lengthens.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// No less than the length that the matrix gives a unit vector at most: Gershgorin's bound of the eigenvalues of its
/// columns' products. Exact if the columns are perpendicular.
inline float largest_scale(const Matrix3x4& a) {
  const auto product = [&](int i, int j) {
    return a.m[0][i] * a.m[0][j] + a.m[1][i] * a.m[1][j] + a.m[2][i] * a.m[2][j];
  };
  const float xy = std::abs(product(0, 1)), xz = std::abs(product(0, 2)), yz = std::abs(product(1, 2));
  return std::sqrt(std::max({product(0, 0) + xy + xz, product(1, 1) + xy + yz, product(2, 2) + xz + yz}));
}

}  // namespace sinew::internal
