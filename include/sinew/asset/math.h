// Vectors, quaternions and matrices of the public interface, as plain data.
//
// Vectors are columns: `a_from_b * b_from_c` maps from space c to space a. Matrices are affine: 3 rows of 4 columns,
// row-major, with the translation in the last column. Coordinates are right-handed unless the source file says
// otherwise; the library itself prefers no axis. The functions have no state: calls may run in parallel.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "sinew/api.h"

namespace sinew {

struct Vec2 {
  float x = 0, y = 0;
  bool operator==(const Vec2&) const = default;
};

struct Vec3 {
  float x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};

struct Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
  bool operator==(const Vec4&) const = default;
};

/// Axis-aligned box: `low` holds the smallest coordinates, `high` the largest.
struct Box {
  Vec3 low, high;
  bool operator==(const Box&) const = default;
};

/// The box that contains nothing. With one point included it is that point.
inline constexpr Box kEmptyBox{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/// Quaternion: x y z w in memory, w is the real part. A rotation is a quaternion of unit length.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  bool operator==(const Quat&) const = default;
};

/// The transform T * R * S: first the scale, then the rotation, then the translation.
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
  bool operator==(const Transform&) const = default;
};

/// Affine matrix; `m[row][3]` is the translation. The default is the identity.
template <class Scalar>
struct BasicMatrix3x4 {
  Scalar m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  bool operator==(const BasicMatrix3x4&) const = default;
};

using Matrix3x4 = BasicMatrix3x4<float>;    // one palette entry: 48 bytes
using Matrix3x4d = BasicMatrix3x4<double>;  // what the exact evaluator computes with
static_assert(sizeof(Matrix3x4) == 48);

/// `value` rounded up to a multiple of `unit`, which is not 0.
constexpr uint64_t align_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// --- vectors ---

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }

/// The unit vector in the direction of `a`, or `fallback` if the length of `a` is zero or not finite.
inline Vec3 normalize(Vec3 a, Vec3 fallback = {0, 0, 1}) {
  const float size = length(a);
  return size > 0 && std::isfinite(size) ? a * (1 / size) : fallback;
}
/// True if no coordinate has an absolute value above `limit`. False if a coordinate is NaN.
inline bool is_within(Vec3 a, float limit) {
  return std::abs(a.x) <= limit && std::abs(a.y) <= limit && std::abs(a.z) <= limit;
}
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// --- boxes ---

/// The smaller, or larger, value of each coordinate.
constexpr Vec3 min(Vec3 a, Vec3 b) { return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z}; }
constexpr Vec3 max(Vec3 a, Vec3 b) { return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z}; }

/// The smallest box that contains `a` and `b`.
constexpr Box merge(const Box& a, const Box& b) { return {min(a.low, b.low), max(a.high, b.high)}; }
constexpr Vec3 size_of(const Box& box) { return box.high - box.low; }  // along each axis
/// Extends `box` so that it contains `point`.
constexpr void include(Box& box, Vec3 point) { box = merge(box, {point, point}); }

/// The smallest box that contains all points; kEmptyBox if there are none.
SINEW_API Box bounding_box(std::span<const Vec3> points);

/// The corners of a box. In the index of a corner bit 0 is for x, bit 1 for y, bit 2 for z: 0 is low, 1 is high.
SINEW_API std::array<Vec3, 8> corners_of(const Box& box);

// --- rotations ---

constexpr float dot(Quat a, Quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
constexpr Quat operator-(Quat a) { return {-a.x, -a.y, -a.z, -a.w}; }
/// The product of two rotations: `b` is applied first.
constexpr Quat operator*(Quat a, Quat b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/// `q` divided by its length, or the identity if `q` is zero or not finite.
inline Quat normalize(Quat q) {
  const double x = double(q.x), y = double(q.y), z = double(q.z), w = double(q.w);
  const double size = std::sqrt(x * x + y * y + z * z + w * w);
  if (!(size > 0) || !std::isfinite(size)) return {};
  return {float(x / size), float(y / size), float(z / size), float(w / size)};
}
inline bool is_finite(Quat q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

// --- matrices ---

/// The product of two affine matrices: `b` is applied first.
template <class Scalar>
constexpr BasicMatrix3x4<Scalar> operator*(const BasicMatrix3x4<Scalar>& a, const BasicMatrix3x4<Scalar>& b) {
  BasicMatrix3x4<Scalar> c;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      c.m[row][column] = a.m[row][0] * b.m[0][column] + a.m[row][1] * b.m[1][column] + a.m[row][2] * b.m[2][column] +
                         (column == 3 ? a.m[row][3] : Scalar(0));
    }
  }
  return c;
}

/// The matrix whose four columns, of four numbers each, follow each other: as OpenGL, glTF and most libraries store
/// matrices. The last number of each column is left out: the last row must be 0 0 0 1.
template <class Scalar>
constexpr BasicMatrix3x4<Scalar> from_columns(const Scalar columns[16]) {
  BasicMatrix3x4<Scalar> a;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) a.m[row][column] = columns[4 * column + row];
  }
  return a;
}

/// The same matrix with elements of type `To`.
template <class To, class From>
constexpr BasicMatrix3x4<To> matrix_cast(const BasicMatrix3x4<From>& a) {
  BasicMatrix3x4<To> b;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) b.m[row][column] = To(a.m[row][column]);
  }
  return b;
}

/// `a * p` for a point `p`, rounded to float.
template <class Scalar>
constexpr Vec3 transform_point(const BasicMatrix3x4<Scalar>& a, Vec3 p) {
  const auto row = [&](int r) { return float(a.m[r][0] * p.x + a.m[r][1] * p.y + a.m[r][2] * p.z + a.m[r][3]); };
  return {row(0), row(1), row(2)};
}

/// The determinant of the linear part (columns 0 to 2). Negative if the matrix mirrors.
template <class Scalar>
constexpr Scalar determinant(const BasicMatrix3x4<Scalar>& a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/// T * R * S as a matrix, in double precision. Normalizes the rotation first; a quaternion of zeros is the identity.
SINEW_API Matrix3x4d to_matrix(const Transform& transform);

/// `matrix` as T * R * S, by Gram-Schmidt on its columns. Exact if `matrix` has no shear; shear is dropped. A matrix
/// that mirrors gets a negative x scale.
SINEW_API Transform to_transform(const Matrix3x4d& matrix);

/// True if every element is finite.
SINEW_API bool is_finite(const Matrix3x4d& matrix);

/// The inverse, or the identity if `matrix` is singular.
SINEW_API Matrix3x4d inverse(const Matrix3x4d& matrix);

/// The unit normal of a surface after `matrix` has mapped the surface. Multiplies by the cofactors of the linear part,
/// with the sign that keeps outward normals outward when `matrix` mirrors. Returns `normal` itself if the result is 0.
SINEW_API Vec3 transform_normal(const Matrix3x4d& matrix, Vec3 normal);

}  // namespace sinew
