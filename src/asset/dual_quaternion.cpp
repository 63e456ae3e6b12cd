#include "dual_quaternion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "polar.h"

namespace sinew::internal {
namespace {

using Quaternion = std::array<double, 4>;

constexpr double kMinMean = 1e-15;  // of packed stretches, so that the rotation is not lost

double dot(const Quaternion& a, const Quaternion& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

/// The matrix of a quaternion of any length.
Matrix3x4d matrix_of(const Quaternion& q) {
  const auto [x, y, z, w] = q;
  const double s = 2 / dot(q, q);
  return {{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), 0},
           {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w), 0},
           {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y), 0}}};
}

Matrix3x4 packed_entry(const SplitMatrix& split) {
  const auto& s = split.stretch;
  double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
  if (std::abs(mean) < kMinMean) mean = kMinMean;
  const double inverse = 1 / mean;
  // q and -q are the same rotation: the sign of the real part is free, and tells whether the matrix mirrors.
  const double size = std::signbit(split.rotation[3]) ? -mean : mean;
  Matrix3x4 packed;
  for (int i = 0; i < 4; ++i) packed.m[0][i] = float(split.rotation[i] * size);
  for (int i = 0; i < 3; ++i) packed.m[1][i] = float(split.translation[i]);
  packed.m[1][3] = float(s[0][0] * inverse - 1);
  packed.m[2][0] = float(s[1][1] * inverse - 1);
  packed.m[2][1] = float(s[0][1] * inverse);
  packed.m[2][2] = float(s[0][2] * inverse);
  packed.m[2][3] = float(s[1][2] * inverse);
  return packed;
}

}  // namespace

SplitMatrix split(const Matrix3x4& matrix) {
  const Matrix3x4d linear = linear_part(matrix_cast<double>(matrix)), rotation = rotation_of(linear);
  const Matrix3x4d product = transposed(rotation) * linear;
  SplitMatrix result;
  double q[4];
  quaternion_of(rotation, q);
  std::copy(q, q + 4, result.rotation.begin());
  for (int i = 0; i < 3; ++i) {
    result.translation[i] = matrix.m[i][3];
    for (int j = 0; j < 3; ++j) result.stretch[i][j] = (product.m[i][j] + product.m[j][i]) / 2;
  }
  return result;
}

void pack_palette(std::span<const Matrix3x4> palette, std::span<Matrix3x4> packed) {
  assert(packed.size() >= palette.size());
  for (size_t i = 0; i < palette.size(); ++i) packed[i] = packed_entry(split(palette[i]));
}

const SplitMatrix& DualQuaternionBlend::split_entry(uint32_t entry) {
  const uint32_t place = entry % kKept;
  if (entries_[place] != entry) {
    splits_[place] = split(palette_[entry]);
    entries_[place] = entry;
  }
  return splits_[place];
}

Matrix3x4d DualQuaternionBlend::blended_matrix(std::span<const Influence> influences) {
  const Quaternion heaviest = split_entry(influences[0].entry).rotation;
  Quaternion real = {}, dual = {};
  std::array<std::array<double, 3>, 3> stretch = {};
  for (const Influence influence : influences) {
    if (influence.weight == 0) continue;
    const SplitMatrix& entry = split_entry(influence.entry);
    const Quaternion& q = entry.rotation;
    const std::array<double, 3>& t = entry.translation;
    const double weight = influence.weight, share = dot(q, heaviest) < 0 ? -weight : weight;
    for (int i = 0; i < 4; ++i) real[i] += share * q[i];
    dual[0] += share / 2 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]);
    dual[1] += share / 2 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]);
    dual[2] += share / 2 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]);
    dual[3] -= share / 2 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) stretch[row][column] += weight * entry.stretch[row][column];
    }
  }
  const double size = dot(real, real);
  const Matrix3x4d rotation = matrix_of(real);
  Matrix3x4d blended;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      blended.m[row][column] = rotation.m[row][0] * stretch[0][column] + rotation.m[row][1] * stretch[1][column] +
                               rotation.m[row][2] * stretch[2][column];
    }
  }
  // The translation is twice the vector part of dual * conjugate(real), divided by the squared size of `real`.
  const auto [x, y, z, w] = real;
  const auto [dx, dy, dz, dw] = dual;
  blended.m[0][3] = 2 * (-dw * x + dx * w - dy * z + dz * y) / size;
  blended.m[1][3] = 2 * (-dw * y + dx * z + dy * w - dz * x) / size;
  blended.m[2][3] = 2 * (-dw * z - dx * y + dy * x + dz * w) / size;
  return blended;
}

}  // namespace sinew::internal
