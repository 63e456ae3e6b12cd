#include "sinew/cpu_skin.h"

#include <cassert>

namespace sinew {
namespace {

Matrix3x4d blended_matrix(std::span<const Influence> influences, std::span<const Matrix3x4> palette) {
  Matrix3x4d sum = {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  for (const Influence influence : influences) {
    const Matrix3x4& entry = palette[influence.entry];
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        sum.m[row][column] += double(influence.weight) * entry.m[row][column];
      }
    }
  }
  return sum;
}

}  // namespace

void skin_on_cpu(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<Vec3> positions,
                 std::span<Vec3> normals) {
  assert(positions.size() == mesh.vertex_count() && normals.size() == mesh.vertex_count());
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Matrix3x4d model_from_mesh = blended_matrix(mesh.influences_of(v), palette);
    positions[v] = transform_point(model_from_mesh, mesh.positions[v]);
    normals[v] = transform_normal(model_from_mesh, mesh.normals[v]);
  }
}

}  // namespace sinew
