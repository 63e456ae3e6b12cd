#include "double_transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::internal {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// The axes in the order in which they are applied.
std::array<size_t, 3> axes_of(EulerOrder order) {
  constexpr std::array<std::array<size_t, 3>, 6> kAxes = {
      {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
  return kAxes[size_t(order)];
}

}  // namespace

Double4 multiply(const Double4& a, const Double4& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

double dot(const Double4& a, const Double4& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

Double4 slerp(const Double4& a, const Double4& b, double share) {
  const double cosine = dot(a, b), sign = cosine < 0 ? -1 : 1;
  const double angle = std::acos(std::min(std::abs(cosine), 1.0));
  double u = 1 - share, v = share;
  if (angle > 1e-6) u = std::sin(u * angle) / std::sin(angle), v = std::sin(v * angle) / std::sin(angle);
  Double4 result;
  for (size_t i = 0; i < 4; ++i) result[i] = u * a[i] + sign * v * b[i];
  const double size = std::sqrt(dot(result, result));
  for (double& part : result) part /= size;
  return result;
}

Double3 rotate(const Double4& q, const Double3& v) {
  const Double4 turned = multiply(multiply(q, {v[0], v[1], v[2], 0}), conjugate(q));
  return {turned[0], turned[1], turned[2]};
}

Double4 from_euler(const Double3& degrees, EulerOrder order) {
  Double4 result{0, 0, 0, 1};
  for (const size_t axis : axes_of(order)) {
    if (degrees[axis] == 0) continue;
    Double4 turn{0, 0, 0, std::cos(degrees[axis] * kDegree / 2)};
    turn[axis] = std::sin(degrees[axis] * kDegree / 2);
    result = multiply(turn, result);
  }
  return result;
}

Double3 to_euler(const Double4& rotation, EulerOrder order) {
  const auto [a, b, c] = axes_of(order);
  const double sign = (a + 1) % 3 == b ? 1 : -1;
  std::array<Double3, 3> columns;
  for (size_t axis = 0; axis < 3; ++axis) {
    Double3 unit{};
    unit[axis] = 1;
    columns[axis] = rotate(rotation, unit);
  }
  const auto m = [&](size_t row, size_t column) { return columns[column][row]; };
  const double sine = std::clamp(-sign * m(c, a), -1.0, 1.0);
  Double3 angles{};
  angles[b] = std::asin(sine) / kDegree;
  if (std::abs(sine) < 1 - 1e-12) {
    angles[a] = std::atan2(sign * m(c, b), m(c, c)) / kDegree;
    angles[c] = std::atan2(sign * m(b, a), m(a, a)) / kDegree;
  } else {  // the first and the last axis are one
    angles[a] = std::atan2(-sign * m(b, c), m(b, b)) / kDegree;
  }
  return angles;
}

Matrix3x4d to_matrix(const DoubleTransform& transform) {
  Matrix3x4d matrix;
  for (size_t column = 0; column < 3; ++column) {
    Double3 axis{};
    axis[column] = transform.scale[column];
    const Double3 turned = rotate(transform.rotation, axis);
    for (size_t row = 0; row < 3; ++row) matrix.m[row][column] = turned[row];
  }
  for (size_t row = 0; row < 3; ++row) matrix.m[row][3] = transform.translation[row];
  return matrix;
}

Transform to_float(const DoubleTransform& transform) {
  const Double3 &t = transform.translation, &s = transform.scale;
  const Double4& r = transform.rotation;
  return {{float(t[0]), float(t[1]), float(t[2])},
          normalize(Quat{float(r[0]), float(r[1]), float(r[2]), float(r[3])}),
          {float(s[0]), float(s[1]), float(s[2])}};
}

}  // namespace sinew::internal
