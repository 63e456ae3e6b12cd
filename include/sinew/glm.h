// Conversions between Sinew's plain structs and glm's types, for hosts that use glm. Every function copies by component
// name: the result does not depend on GLM_FORCE_ macros, which change the order of components in memory. Axes and units
// stay the same.
#pragma once

#include <array>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "sinew/asset/math.h"

namespace sinew {

inline glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }
inline glm::vec4 to_glm(Vec4 v) { return {v.x, v.y, v.z, v.w}; }
inline Vec3 from_glm(const glm::vec3& v) { return {v.x, v.y, v.z}; }

inline glm::quat to_glm(Quat q) {
  glm::quat result;
  result.x = q.x, result.y = q.y, result.z = q.z, result.w = q.w;
  return result;
}
inline Quat from_glm(const glm::quat& q) { return {q.x, q.y, q.z, q.w}; }

/// Column-major, as View::clip_from_world: View::from_camera(to_array(clip_from_world), ...).
inline std::array<float, 16> to_array(const glm::mat4& a) {
  std::array<float, 16> result;
  for (int i = 0; i < 16; ++i) result[size_t(i)] = a[i / 4][i % 4];
  return result;
}

/// Converts a row-major 3x4 matrix to glm's column-major 4x4 matrix with the last row 0 0 0 1.
inline glm::mat4 to_glm(const Matrix3x4& a) {
  glm::mat4 result(1.0f);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) result[column][row] = a.m[row][column];
  }
  return result;
}

/// The other way. The last row of `a` is left out: it must be 0 0 0 1, as in every affine matrix.
inline Matrix3x4 from_glm(const glm::mat4& a) {
  Matrix3x4 result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) result.m[row][column] = a[column][row];
  }
  return result;
}

}  // namespace sinew
