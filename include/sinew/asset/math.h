// The few vectors and matrices that cross the library's border, as plain data.
//
// Vectors are columns: `a_from_b * b_from_c` maps from c to a. Matrices are affine, 3 rows of 4, row-major, the last
// column the translation. Right-handed unless a file says otherwise; the library itself prefers no axis.
#pragma once

#include <cmath>

namespace sinew {

struct Vec2 {
  float x = 0, y = 0;
};

struct Vec3 {
  float x = 0, y = 0, z = 0;
};

struct Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
};

/// Along the axes; `low` is the least corner.
struct Box {
  Vec3 low, high;
};

/// A rotation, x y z w in memory (w the real part), of unit length wherever the library stores one.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
};

/// T * R * S: scales, then rotates, then moves.
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
};

template <class Scalar>
struct BasicMatrix3x4 {
  Scalar m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

using Matrix3x4 = BasicMatrix3x4<float>;    // a palette's entry: 48 bytes
using Matrix3x4d = BasicMatrix3x4<double>;  // where the exact evaluator multiplies
static_assert(sizeof(Matrix3x4) == 48);

// --- vectors ---

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }

/// The unit vector along `a`, or `fallback` where `a` has no direction (zero, or not finite).
inline Vec3 normalize(Vec3 a, Vec3 fallback = {0, 0, 1}) {
  const float size = length(a);
  return size > 0 && std::isfinite(size) ? a * (1 / size) : fallback;
}
/// Whether no coordinate is farther from 0 than that; false where one is no number.
inline bool is_within(Vec3 a, float limit) {
  return std::abs(a.x) <= limit && std::abs(a.y) <= limit && std::abs(a.z) <= limit;
}
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// --- rotations ---

constexpr float dot(Quat a, Quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
constexpr Quat operator-(Quat a) { return {-a.x, -a.y, -a.z, -a.w}; }
constexpr Quat operator*(Quat a, Quat b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/// The unit quaternion along `q`, or the identity where `q` is zero or not finite.
inline Quat normalize(Quat q) {
  const double size = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
  if (!(size > 0) || !std::isfinite(size)) return {};
  return {float(q.x / size), float(q.y / size), float(q.z / size), float(q.w / size)};
}
inline bool is_finite(Quat q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

// --- matrices ---

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

template <class To, class From>
constexpr BasicMatrix3x4<To> matrix_cast(const BasicMatrix3x4<From>& a) {
  BasicMatrix3x4<To> b;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) b.m[row][column] = To(a.m[row][column]);
  }
  return b;
}

template <class Scalar>
constexpr Vec3 transform_point(const BasicMatrix3x4<Scalar>& a, Vec3 p) {
  const auto row = [&](int r) { return float(a.m[r][0] * p.x + a.m[r][1] * p.y + a.m[r][2] * p.z + a.m[r][3]); };
  return {row(0), row(1), row(2)};
}

template <class Scalar>
constexpr Scalar determinant(const BasicMatrix3x4<Scalar>& a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/// T * R * S as a matrix, in double precision. The rotation is normalized on the way.
Matrix3x4d to_matrix(const Transform& transform);

/// The T * R * S that comes nearest to `matrix`: exact where it has no shear. A mirrored matrix gives a negative x
/// scale.
Transform to_transform(const Matrix3x4d& matrix);

/// True where every entry is finite.
bool is_finite(const Matrix3x4d& matrix);

/// The inverse, or the identity where `matrix` is singular.
Matrix3x4d inverse(const Matrix3x4d& matrix);

/// The unit normal of a surface that `matrix` has mapped: by cofactors, signed so that mirroring keeps outward outward.
/// A matrix that flattens the normal away leaves it as it was.
Vec3 transform_normal(const Matrix3x4d& matrix, Vec3 normal);

}  // namespace sinew
