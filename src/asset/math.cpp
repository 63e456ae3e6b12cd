#include "sinew/asset/math.h"

namespace sinew {
namespace {

struct Column {
  double x, y, z;
};

Column column(const Matrix3x4d& a, int c) { return {a.m[0][c], a.m[1][c], a.m[2][c]}; }
double dot(Column a, Column b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Column cross(Column a, Column b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Column scaled(Column a, double s) { return {a.x * s, a.y * s, a.z * s}; }
Column minus(Column a, Column b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

Column unit_or(Column a, Column fallback) {
  const double size = std::sqrt(dot(a, a));
  return size > 0 ? scaled(a, 1 / size) : fallback;
}

Column any_perpendicular(Column a) {
  const Column other = std::abs(a.x) < 0.9 ? Column{1, 0, 0} : Column{0, 1, 0};
  return unit_or(cross(a, other), {0, 0, 1});
}

/// The quaternion of the rotation matrix with the columns x, y, z, which are right-handed and of unit length. Source:
/// Shepperd, "Quaternion from Rotation Matrix", 1978: divide by the largest of the four components.
Quat rotation_of(Column x, Column y, Column z) {
  const double trace = x.x + y.y + z.z;
  double q[4];
  if (trace > 0) {
    q[0] = y.z - z.y, q[1] = z.x - x.z, q[2] = x.y - y.x, q[3] = 1 + trace;
  } else if (x.x >= y.y && x.x >= z.z) {
    q[0] = 1 + x.x - y.y - z.z, q[1] = x.y + y.x, q[2] = z.x + x.z, q[3] = y.z - z.y;
  } else if (y.y >= z.z) {
    q[0] = x.y + y.x, q[1] = 1 + y.y - x.x - z.z, q[2] = y.z + z.y, q[3] = z.x - x.z;
  } else {
    q[0] = z.x + x.z, q[1] = y.z + z.y, q[2] = 1 + z.z - x.x - y.y, q[3] = x.y - y.x;
  }
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {float(q[0] / size), float(q[1] / size), float(q[2] / size), float(q[3] / size)};
}

}  // namespace

Box bounding_box(std::span<const Vec3> points) {
  Box box = kEmptyBox;
  for (const Vec3 point : points) include(box, point);
  return box;
}

std::array<Vec3, 8> corners_of(const Box& box) {
  const Vec3 sides[] = {box.low, box.high};
  std::array<Vec3, 8> corners;
  for (size_t i = 0; i < corners.size(); ++i) corners[i] = {sides[i & 1].x, sides[i >> 1 & 1].y, sides[i >> 2].z};
  return corners;
}

Matrix3x4d to_matrix(const Transform& transform) {
  const Quat q = transform.rotation;
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const double norm = x * x + y * y + z * z + w * w;
  const double s = norm > 0 ? 2 / norm : 0;
  const double sx = transform.scale.x, sy = transform.scale.y, sz = transform.scale.z;
  return {
      {{(1 - s * (y * y + z * z)) * sx, s * (x * y - w * z) * sy, s * (x * z + w * y) * sz, transform.translation.x},
       {s * (x * y + w * z) * sx, (1 - s * (x * x + z * z)) * sy, s * (y * z - w * x) * sz, transform.translation.y},
       {s * (x * z - w * y) * sx, s * (y * z + w * x) * sy, (1 - s * (x * x + y * y)) * sz, transform.translation.z}}};
}

Transform to_transform(const Matrix3x4d& matrix) {
  const Column x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
  const double mirror = determinant(matrix) < 0 ? -1 : 1;
  const Column unit_x = scaled(unit_or(x, {1, 0, 0}), mirror);
  const Column unit_y = unit_or(minus(y, scaled(unit_x, dot(unit_x, y))), any_perpendicular(unit_x));
  const Column unit_z = cross(unit_x, unit_y);

  Transform result;
  result.translation = {float(matrix.m[0][3]), float(matrix.m[1][3]), float(matrix.m[2][3])};
  result.rotation = rotation_of(unit_x, unit_y, unit_z);
  result.scale = {float(dot(unit_x, x)), float(dot(unit_y, y)), float(dot(unit_z, z))};
  return result;
}

bool is_finite(const Matrix3x4d& matrix) {
  for (const auto& row : matrix.m) {
    for (const double value : row) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

Matrix3x4d inverse(const Matrix3x4d& matrix) {
  const Column x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2), t = column(matrix, 3);
  const double d = dot(x, cross(y, z));
  if (!(std::abs(d) > 0) || !std::isfinite(1 / d)) return {};
  const Column rows[3] = {scaled(cross(y, z), 1 / d), scaled(cross(z, x), 1 / d), scaled(cross(x, y), 1 / d)};
  Matrix3x4d result;
  for (int r = 0; r < 3; ++r) {
    result.m[r][0] = rows[r].x, result.m[r][1] = rows[r].y, result.m[r][2] = rows[r].z;
    result.m[r][3] = -dot(rows[r], t);
  }
  return result;
}

Vec3 transform_normal(const Matrix3x4d& matrix, Vec3 normal) {
  const Column x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
  const double sign = dot(x, cross(y, z)) < 0 ? -1 : 1;
  const Column a = cross(y, z), b = cross(z, x), c = cross(x, y);
  const double nx = sign * normal.x, ny = sign * normal.y, nz = sign * normal.z;
  const Column n{a.x * nx + b.x * ny + c.x * nz, a.y * nx + b.y * ny + c.y * nz, a.z * nx + b.z * ny + c.z * nz};
  const Column unit = unit_or(n, {normal.x, normal.y, normal.z});
  return {float(unit.x), float(unit.y), float(unit.z)};
}

}  // namespace sinew
