// Transforms in double precision, and rotations by three angles in an order.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/asset/math.h"

namespace sinew::internal {

using Double3 = std::array<double, 3>;
using Double4 = std::array<double, 4>;  // a quaternion: x y z w

Double4 multiply(const Double4& a, const Double4& b);  // b is applied first
inline Double4 conjugate(const Double4& q) { return {-q[0], -q[1], -q[2], q[3]}; }
double dot(const Double4& a, const Double4& b);
Double4 slerp(const Double4& a, const Double4& b, double share);
Double3 rotate(const Double4& rotation, const Double3& vector);

inline Double3 operator+(const Double3& a, const Double3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Double3 operator-(const Double3& a, const Double3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Double3 operator*(const Double3& a, const Double3& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
inline double dot(const Double3& a, const Double3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline bool is_zero(const Double3& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

/// The order of three rotations. kXyz: first about x, then y, then z.
enum class EulerOrder : uint8_t { kXyz, kXzy, kYzx, kYxz, kZxy, kZyx };

/// The rotation by three angles in degrees, about x, y and z. Continuous in the angles: 360 degrees give minus one.
Double4 from_euler(const Double3& degrees, EulerOrder order);
/// Angles of a unit quaternion, in degrees.
Double3 to_euler(const Double4& rotation, EulerOrder order);

/// T * R * S.
struct DoubleTransform {
  Double3 translation{};
  Double4 rotation{0, 0, 0, 1};
  Double3 scale{1, 1, 1};
};

Matrix3x4d to_matrix(const DoubleTransform& transform);
Transform to_float(const DoubleTransform& transform);

}  // namespace sinew::internal
