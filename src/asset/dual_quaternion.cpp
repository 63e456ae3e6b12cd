#include "dual_quaternion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace sinew::internal {
namespace {

template <class Scalar>
using Matrix3 = std::array<std::array<Scalar, 3>, 3>;
template <class Scalar>
using Vector = std::array<Scalar, 3>;
template <class Scalar>
using Quaternion = std::array<Scalar, 4>;

constexpr float kMinMean = 1e-15f;  // of packed stretches, so that the rotation is not lost
constexpr int kMaxSteps = 20;       // of Newton's iteration; a rotation needs one

template <class Scalar>
Vector<Scalar> cross(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class Scalar>
Scalar dot(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Scalar>
Scalar dot(const Quaternion<Scalar>& a, const Quaternion<Scalar>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// The determinant times the transpose of the inverse.
template <class Scalar>
Matrix3<Scalar> cofactors(const Matrix3<Scalar>& m) {
  return {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
}

template <class Scalar>
Scalar size_of(const Matrix3<Scalar>& m) {
  return std::sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]));
}

template <class Scalar>
Quaternion<Scalar> normalized(const Quaternion<Scalar>& q) {
  const Scalar size = std::sqrt(dot(q, q));
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

/// From a rotation matrix; the largest component is computed first, so that none is divided by a small number.
template <class Scalar>
Quaternion<Scalar> quaternion_of(const Matrix3<Scalar>& m) {
  const Scalar trace = m[0][0] + m[1][1] + m[2][2];
  Quaternion<Scalar> q = {};
  if (trace > 0) {
    q = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace};
  } else {
    const int i = m[0][0] >= m[1][1] ? (m[0][0] >= m[2][2] ? 0 : 2) : (m[1][1] >= m[2][2] ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[size_t(i)] = 1 + m[i][i] - m[j][j] - m[k][k];
    q[size_t(j)] = m[j][i] + m[i][j];
    q[size_t(k)] = m[k][i] + m[i][k];
    q[3] = m[k][j] - m[j][k];
  }
  return normalized(q);
}

/// The matrix of a unit quaternion.
template <class Scalar>
Matrix3<Scalar> matrix_of(const Quaternion<Scalar>& q) {
  const auto [x, y, z, w] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

/// The shortest rotation that turns rows of a matrix of rank 1 into its columns: m = size * column * row.
template <class Scalar>
Quaternion<Scalar> rotation_of_rank_one(const Matrix3<Scalar>& m) {
  const auto longest =
      std::max_element(m.begin(), m.end(), [](const auto& a, const auto& b) { return dot(a, a) < dot(b, b); });
  Vector<Scalar> row = *longest, column = {dot(m[0], row), dot(m[1], row), dot(m[2], row)};
  const Scalar rows = std::sqrt(dot(row, row)), columns = std::sqrt(dot(column, column));
  for (int i = 0; i < 3; ++i) row[i] /= rows, column[i] /= columns;
  const Vector<Scalar> axis = cross(row, column);
  const Scalar cosine = dot(row, column);
  if (cosine > Scalar(-0.999)) return normalized<Scalar>({axis[0], axis[1], axis[2], 1 + cosine});
  // Half a turn around any axis that is perpendicular.
  const Vector<Scalar> other = std::abs(row[0]) < Scalar(0.6) ? Vector<Scalar>{1, 0, 0} : Vector<Scalar>{0, 1, 0};
  const Vector<Scalar> half = cross(row, other);
  return normalized<Scalar>({half[0], half[1], half[2], 0});
}

/// The rotation of the polar decomposition, by Newton's iteration for the nearest orthogonal matrix. Source: Higham:
/// Computing the polar decomposition, 1986.
template <class Scalar>
Quaternion<Scalar> rotation_of(Matrix3<Scalar> m) {
  Scalar largest = 0;
  for (const auto& row : m) largest = std::max({largest, std::abs(row[0]), std::abs(row[1]), std::abs(row[2])});
  if (!(largest > 0) || !std::isfinite(largest)) return {0, 0, 0, 1};
  for (auto& row : m) row = {row[0] / largest, row[1] / largest, row[2] / largest};

  const Scalar tolerance = 4 * std::numeric_limits<Scalar>::epsilon();
  Matrix3<Scalar> inverse = cofactors(m);
  Scalar determinant = dot(m[0], inverse[0]);
  if (std::abs(determinant) < 64 * tolerance) {
    // The cofactors of a matrix of rank 2 are the direction in which it is singular.
    const Scalar size = size_of(inverse);
    if (size < 64 * tolerance) return rotation_of_rank_one(m);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) m[row][column] += inverse[row][column] / size;
    }
    inverse = cofactors(m);
    determinant = dot(m[0], inverse[0]);
  }
  for (int step = 0; step < kMaxSteps; ++step) {
    const Scalar balance = std::sqrt(size_of(inverse) / (std::abs(determinant) * size_of(m)));
    Scalar change = 0;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        const Scalar next = (balance * m[row][column] + inverse[row][column] / (determinant * balance)) / 2;
        change = std::max(change, std::abs(next - m[row][column]));
        m[row][column] = next;
      }
    }
    if (!(change > tolerance)) break;
    inverse = cofactors(m);
    determinant = dot(m[0], inverse[0]);
  }
  if (determinant < 0) {
    for (auto& row : m) row = {-row[0], -row[1], -row[2]};
  }
  return quaternion_of(m);
}

template <class Scalar>
SplitMatrix<Scalar> split_as(const Matrix3x4& matrix) {
  Matrix3<Scalar> linear;
  SplitMatrix<Scalar> result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) linear[row][column] = Scalar(matrix.m[row][column]);
    result.translation[row] = Scalar(matrix.m[row][3]);
  }
  result.rotation = rotation_of(linear);
  const Matrix3<Scalar> rotation = matrix_of(result.rotation);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto element = [&](int a, int b) {
        return rotation[0][a] * linear[0][b] + rotation[1][a] * linear[1][b] + rotation[2][a] * linear[2][b];
      };
      result.stretch[i][j] = (element(i, j) + element(j, i)) / 2;
    }
  }
  return result;
}

Matrix3x4 packed_entry(const SplitMatrix<float>& split) {
  const auto& s = split.stretch;
  float mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
  if (std::abs(mean) < kMinMean) mean = kMinMean;
  const float inverse = 1 / mean;
  // q and -q are the same rotation: the sign of the real part is free, and tells whether the matrix mirrors.
  const float size = std::signbit(split.rotation[3]) ? -mean : mean;
  Matrix3x4 packed;
  for (int i = 0; i < 4; ++i) packed.m[0][i] = split.rotation[i] * size;
  for (int i = 0; i < 3; ++i) packed.m[1][i] = split.translation[i];
  packed.m[1][3] = s[0][0] * inverse - 1;
  packed.m[2][0] = s[1][1] * inverse - 1;
  packed.m[2][1] = s[0][1] * inverse;
  packed.m[2][2] = s[0][2] * inverse;
  packed.m[2][3] = s[1][2] * inverse;
  return packed;
}

}  // namespace

SplitMatrix<double> split(const Matrix3x4& matrix) { return split_as<double>(matrix); }

void pack_palette(std::span<const Matrix3x4> palette, std::span<Matrix3x4> packed) {
  assert(packed.size() >= palette.size());
  for (size_t i = 0; i < palette.size(); ++i) packed[i] = packed_entry(split_as<float>(palette[i]));
}

const SplitMatrix<double>& DualQuaternionBlend::split_entry(uint32_t entry) {
  const uint32_t place = entry % kKept;
  if (entries_[place] != entry) {
    splits_[place] = split(palette_[entry]);
    entries_[place] = entry;
  }
  return splits_[place];
}

Matrix3x4d DualQuaternionBlend::blended_matrix(std::span<const Influence> influences) {
  const Quaternion<double> heaviest = split_entry(influences[0].entry).rotation;
  Quaternion<double> real = {}, dual = {};
  Matrix3<double> stretch = {};
  for (const Influence influence : influences) {
    if (influence.weight == 0) continue;
    const SplitMatrix<double>& entry = split_entry(influence.entry);
    const Quaternion<double>& q = entry.rotation;
    const Vector<double>& t = entry.translation;
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
  const Matrix3<double> rotation = matrix_of(normalized(real));
  Matrix3x4d blended;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      blended.m[row][column] = rotation[row][0] * stretch[0][column] + rotation[row][1] * stretch[1][column] +
                               rotation[row][2] * stretch[2][column];
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
