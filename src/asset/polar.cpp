#include "polar.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

Matrix3x4d plus(Matrix3x4d a, const Matrix3x4d& b) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) a.m[r][c] += b.m[r][c];
  }
  return a;
}

}  // namespace

Matrix3x4d linear_part(Matrix3x4d a) {
  for (auto& row : a.m) row[3] = 0;
  return a;
}

Matrix3x4d transposed(const Matrix3x4d& a) {
  Matrix3x4d b;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) b.m[r][c] = a.m[c][r];
  }
  return b;
}

Matrix3x4d scaled(Matrix3x4d a, double s) {
  for (auto& row : a.m) {
    for (double& value : row) value *= s;
  }
  return a;
}

double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) largest = std::max(largest, std::abs(a.m[r][c] - b.m[r][c]));
  }
  return largest;
}

/// Repeats the mean with the inverse transpose.
Matrix3x4d rotation_of(const Matrix3x4d& linear) {
  Matrix3x4d x = determinant(linear) < 0 ? scaled(linear, -1) : linear;
  const double size = largest_difference(x, scaled(x, 0));
  if (!(size > 0)) return {};
  x = scaled(x, 1 / size);
  if (determinant(x) < kFlat) {
    const Matrix3x4d near = to_matrix({{}, to_transform(x).rotation, {1, 1, 1}}), flat = x;
    x = plus(flat, scaled(near, kFlat));
    if (determinant(x) < 0) x = plus(flat, scaled(near, -kFlat));  // for the other sign of the determinant
    if (!(determinant(x) > 0)) return near;
  }
  for (int i = 0; i < 50; ++i) {
    const Matrix3x4d y = transposed(inverse(x));
    const Matrix3x4d mean = scaled(plus(x, y), 0.5);
    const double change = largest_difference(mean, x);
    x = mean;
    if (change < 1e-14) break;
  }
  return x;
}

void quaternion_of(const Matrix3x4d& r, double (&q)[4]) {
  const Quat rounded = to_transform(r).rotation;
  // One Newton step from the rounded quaternion: half the rotation vector of the remaining rotation.
  const Matrix3x4d remaining = r * transposed(to_matrix({{}, rounded, {1, 1, 1}}));
  const double x = (remaining.m[2][1] - remaining.m[1][2]) / 4, y = (remaining.m[0][2] - remaining.m[2][0]) / 4,
               z = (remaining.m[1][0] - remaining.m[0][1]) / 4;
  q[0] = rounded.x + x * rounded.w + y * rounded.z - z * rounded.y;
  q[1] = rounded.y - x * rounded.z + y * rounded.w + z * rounded.x;
  q[2] = rounded.z + x * rounded.y - y * rounded.x + z * rounded.w;
  q[3] = rounded.w - x * rounded.x - y * rounded.y - z * rounded.z;
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& component : q) component /= size;
}

}  // namespace sinew::internal
