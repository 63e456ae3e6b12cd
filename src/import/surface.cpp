#include "surface.h"

namespace sinew {

std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices) {
  std::vector<Vec3> normals(positions.size());
  for (size_t i = 0; i + 2 < indices.size(); i += 3) {
    const Vec3 corner = positions[indices[i]];
    const Vec3 area = cross(positions[indices[i + 1]] - corner, positions[indices[i + 2]] - corner);
    for (size_t k = 0; k < 3; ++k) normals[indices[i + k]] = normals[indices[i + k]] + area;
  }
  for (Vec3& normal : normals) normal = normalize(normal);
  return normals;
}

}  // namespace sinew
