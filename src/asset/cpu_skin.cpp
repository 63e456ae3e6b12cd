#include "sinew/asset/cpu_skin.h"

#include <cassert>
#include <cmath>

namespace sinew {
namespace {

Matrix3x4d blended_matrix(std::span<const Influence> influences, std::span<const Matrix3x4> palette) {
  Matrix3x4d sum = {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  for (const Influence influence : influences) {
    if (influence.weight == 0) continue;  // the entry is not read: it may be NaN
    const Matrix3x4& entry = palette[influence.entry];
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        sum.m[row][column] += double(influence.weight) * entry.m[row][column];
      }
    }
  }
  return sum;
}

/// A surface has a tangent t, a bitangent b and a normal n = t x b. The cofactor matrix of a matrix M maps n to
/// Mt x Mb. If M mirrors, the outward normal is the negative of Mt x Mb. The cross product of that normal and Mt then
/// points against Mb, so the handedness changes its sign.
Vec4 transform_tangent(const Matrix3x4d& matrix, Vec4 tangent) {
  const auto row = [&](int r) {
    return matrix.m[r][0] * tangent.x + matrix.m[r][1] * tangent.y + matrix.m[r][2] * tangent.z;
  };
  const double x = row(0), y = row(1), z = row(2), size = std::sqrt(x * x + y * y + z * z);
  const float handedness = determinant(matrix) < 0 ? -tangent.w : tangent.w;
  if (!(size > 0)) return {tangent.x, tangent.y, tangent.z, handedness};
  return {float(x / size), float(y / size), float(z / size), handedness};
}

}  // namespace

void skin_on_cpu(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<Vec3> positions,
                 std::span<Vec3> normals, std::span<Vec4> tangents) {
  assert(positions.size() == mesh.vertex_count() && normals.size() == mesh.vertex_count());
  assert(tangents.empty() || (tangents.size() == mesh.vertex_count() && mesh.tangents.size() == tangents.size()));
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Matrix3x4d model_from_mesh = blended_matrix(mesh.influences_of(v), palette);
    positions[v] = transform_point(model_from_mesh, mesh.positions[v]);
    normals[v] = transform_normal(model_from_mesh, mesh.normals[v]);
    if (!tangents.empty()) tangents[v] = transform_tangent(model_from_mesh, mesh.tangents[v]);
  }
}

}  // namespace sinew
