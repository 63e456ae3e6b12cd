#include "surface.h"

namespace sinew {

std::vector<uint32_t> triangles_of(std::span<const uint32_t> corners, Topology topology) {
  std::vector<uint32_t> triangles;
  const size_t step = topology == Topology::kList ? 3 : 1;
  for (size_t i = 0; i + 2 < corners.size(); i += step) {
    switch (topology) {
      case Topology::kList:
        triangles.insert(triangles.end(), {corners[i], corners[i + 1], corners[i + 2]});
        break;
      case Topology::kStrip:  // every second one is wound the other way
        triangles.insert(triangles.end(), {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
        break;
      case Topology::kFan:
        triangles.insert(triangles.end(), {corners[i + 1], corners[i + 2], corners[0]});
        break;
    }
  }
  return triangles;
}

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
