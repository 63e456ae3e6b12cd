// Affine matrices in double precision, written without the code under test, for expected positions.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace sinew::test {

using Own3 = std::array<double, 3>;

/// Maps a column vector: rows of a linear part and a shift.
struct OwnMatrix {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  Own3 operator*(const Own3& p) const {
    Own3 result;
    for (size_t r = 0; r < 3; ++r) result[r] = rows[r][0] * p[0] + rows[r][1] * p[1] + rows[r][2] * p[2] + rows[r][3];
    return result;
  }
  OwnMatrix operator*(const OwnMatrix& other) const {
    OwnMatrix result;
    for (size_t c = 0; c < 4; ++c) {
      for (size_t r = 0; r < 3; ++r) {
        double sum = c == 3 ? rows[r][3] : 0;
        for (size_t k = 0; k < 3; ++k) sum += rows[r][k] * other.rows[k][c];
        result.rows[r][c] = sum;
      }
    }
    return result;
  }
  Own3 shift() const { return {rows[0][3], rows[1][3], rows[2][3]}; }
  OwnMatrix linear() const {
    OwnMatrix result = *this;
    for (auto& row : result.rows) row[3] = 0;
    return result;
  }
};

inline OwnMatrix own_shift(const Own3& by) {
  OwnMatrix result;
  for (size_t r = 0; r < 3; ++r) result.rows[r][3] = by[r];
  return result;
}
inline OwnMatrix own_scale(const Own3& by) {
  OwnMatrix result;
  for (size_t r = 0; r < 3; ++r) result.rows[r][r] = by[r];
  return result;
}
/// About an axis: 'X', 'Y' or 'Z'.
inline OwnMatrix own_turn(char axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const size_t a = size_t(axis - 'X' + 1) % 3, b = (a + 1) % 3;
  OwnMatrix result;
  result.rows[a][a] = result.rows[b][b] = std::cos(angle);
  result.rows[b][a] = std::sin(angle), result.rows[a][b] = -std::sin(angle);
  return result;
}
/// Three turns in an order: "XYZ" turns about x first.
inline OwnMatrix own_euler(const Own3& degrees, std::string_view order = "XYZ") {
  OwnMatrix result;
  for (const char axis : order) result = own_turn(axis, degrees[size_t(axis - 'X')]) * result;
  return result;
}
/// The inverse of a matrix that only turns.
inline OwnMatrix own_turned_back(const OwnMatrix& turn) {
  OwnMatrix result;
  for (size_t r = 0; r < 3; ++r) {
    for (size_t c = 0; c < 3; ++c) result.rows[r][c] = turn.rows[c][r];
  }
  return result;
}
inline Own3 own_mix(const Own3& a, const Own3& b, double share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

}  // namespace sinew::test
