#include "sinew/asset/compact_matrix.h"

#include <algorithm>
#include <cmath>

#include "polar.h"

namespace sinew {

using namespace internal;
namespace {

constexpr int32_t kMax = 524287;  // of 20 signed bits
constexpr double kUnits = kMax * 1.4142135623730951;
constexpr int kMinExponent = -24, kMaxExponent = 39;

uint32_t low_bits(int32_t value, int bits) { return uint32_t(value) & ((1u << bits) - 1); }

/// The signed number in `bits` bits from `first` on.
int32_t signed_bits(uint32_t word, int first, int bits) { return int32_t(word << (32 - first - bits)) >> (32 - bits); }

int32_t quantized(double value) { return int32_t(std::clamp<double>(std::nearbyint(value), -kMax, kMax)); }

}  // namespace

CompactMatrix compact(const Matrix3x4& matrix, float scale) {
  Matrix3x4d rotation;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) rotation.m[row][column] = double(matrix.m[row][column]) / double(scale);
  }
  double q[4];
  quaternion_of(rotation, q);
  double square = 0;
  for (const double component : q) square += component * component;
  const double length = std::sqrt(square);
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const int left_out = int(std::max_element(q, q + 4, by_size) - q);
  const double sign = std::signbit(q[left_out]) ? -1 : 1;

  double largest = 0;
  for (const auto& row : matrix.m) largest = std::max(largest, std::abs(double(row[3])));
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  exponent = std::clamp(largest > 0 ? exponent : kMinExponent, kMinExponent, kMaxExponent);

  CompactMatrix result = {{0, 0, 0, uint32_t(left_out) << 24 | uint32_t(exponent - kMinExponent) << 26}};
  for (int i = 0; i < 3; ++i) {
    const double component = q[i < left_out ? i : i + 1];
    const int32_t t = quantized(std::ldexp(double(matrix.m[i][3]), 19 - exponent));
    const int32_t units = length > 0 ? quantized(sign * component / length * kUnits) : 0;
    result.words[i] = low_bits(units, 20) | low_bits(t, 12) << 20;
    result.words[3] |= low_bits(t >> 12, 8) << (8 * i);
  }
  return result;
}

Matrix3x4 expand(const CompactMatrix& compact, float scale) {
  const uint32_t last = compact.words[3];
  const int left_out = int(last >> 24 & 3), exponent = int(last >> 26) + kMinExponent;
  double q[4], rest = 1;
  Matrix3x4 matrix;
  for (int i = 0; i < 3; ++i) {
    const double component = signed_bits(compact.words[i], 0, 20) / kUnits;
    q[i < left_out ? i : i + 1] = component;
    rest -= component * component;
    const int32_t t = int32_t(compact.words[i] >> 20) + signed_bits(last, 8 * i, 8) * 4096;
    matrix.m[i][3] = float(std::ldexp(double(t), exponent - 19));
  }
  q[left_out] = std::sqrt(std::max(rest, 0.0));
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) matrix.m[row][column] = float(rows[row][column] * double(scale));
  }
  return matrix;
}

}  // namespace sinew
