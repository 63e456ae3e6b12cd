#include "sinew/asset/cpu_skin.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "dual_quaternion.h"

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

/// Adds `weight` times the target to vertices in mesh space.
void add_target(const MorphTarget& target, float weight, std::span<Vec3> positions, std::span<Vec3> normals,
                std::span<Vec4> tangents) {
  for (size_t i = 0; i < target.vertices.size(); ++i) {
    const uint32_t v = target.vertices[i];
    positions[v] = positions[v] + target.positions[i] * weight;
    if (!target.normals.empty()) normals[v] = normals[v] + target.normals[i] * weight;
    if (tangents.empty() || target.tangents.empty()) continue;
    const Vec3 difference = target.tangents[i] * weight;
    tangents[v] = {tangents[v].x + difference.x, tangents[v].y + difference.y, tangents[v].z + difference.z,
                   tangents[v].w};
  }
}

}  // namespace

void skin_on_cpu(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<Vec3> positions,
                 std::span<Vec3> normals, std::span<Vec4> tangents, std::span<const float> weights) {
  assert(positions.size() == mesh.vertex_count() && normals.size() == mesh.vertex_count());
  assert(tangents.empty() || (tangents.size() == mesh.vertex_count() && mesh.tangents.size() == tangents.size()));
  assert(weights.empty() || weights.size() == mesh.target_count());
  std::span<const Vec3> bound_positions = mesh.positions, bound_normals = mesh.normals;
  std::span<const Vec4> bound_tangents = mesh.tangents;
  if (!weights.empty()) {  // the outputs first hold the mesh in mesh space
    std::copy(bound_positions.begin(), bound_positions.end(), positions.begin());
    std::copy(bound_normals.begin(), bound_normals.end(), normals.begin());
    if (!tangents.empty()) std::copy(bound_tangents.begin(), bound_tangents.end(), tangents.begin());
    for (size_t t = 0; t < weights.size(); ++t) {
      if (weights[t] != 0) add_target(mesh.targets[t], weights[t], positions, normals, tangents);
    }
    for (size_t v = 0; v < normals.size(); ++v) {
      if (dot(normals[v], normals[v]) == 0) normals[v] = mesh.normals[v];  // the differences cancel it
    }
    bound_positions = positions, bound_normals = normals, bound_tangents = tangents;
  }
  internal::DualQuaternionBlend dual_quaternions(palette);
  const bool linear = mesh.blend == Blend::kLinear;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const auto influences = mesh.influences_of(v);
    const Matrix3x4d model_from_mesh =
        linear ? blended_matrix(influences, palette) : dual_quaternions.blended_matrix(influences);
    positions[v] = transform_point(model_from_mesh, bound_positions[v]);
    normals[v] = transform_normal(model_from_mesh, bound_normals[v]);
    if (!tangents.empty()) tangents[v] = transform_tangent(model_from_mesh, bound_tangents[v]);
  }
}

}  // namespace sinew
