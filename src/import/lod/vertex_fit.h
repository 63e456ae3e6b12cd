// Values of the vertices of a mesh that come near to values known at points on it: colors of small levels
// of detail, normals and texture coordinates of others.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::internal {

/// A point on a triangle.
struct PointOnMesh {
  std::array<uint32_t, 3> vertices{};
  std::array<float, 3> shares{};  // 0 or more; their sum is 1
};

/// What values may be.
struct ValueRange {
  double lowest = 0, highest = 1;
};

/// The values of vertices, in the range, whose interpolation at the points comes nearest to `values`, one for each
/// point: least squares. Where points say little of a vertex it stays near its value in `start`. A mean of what is
/// around each vertex would be smoothed twice: by the mean, and when triangles are drawn.
std::vector<float> fit_vertices(std::span<const PointOnMesh> points, std::span<const float> values,
                                std::span<const float> start, ValueRange range = {});

}  // namespace sinew::internal
