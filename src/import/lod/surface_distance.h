// Distances from points to a surface that moves: the triangles of a mesh in one pose after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// A triangle list: three indices per triangle. `positions` may hold vertices that no triangle uses.
struct Surface {
  std::span<const Vec3> positions;
  std::span<const uint32_t> indices;
};

/// Finds distances to one surface. It looks at the triangle that was nearest in the pose before first; only if that is
/// too far it searches, in a uniform grid that it makes when the first search needs it.
class SurfaceDistance {
 public:
  /// `surface` must have a triangle, and outlive this.
  explicit SurfaceDistance(const Surface& surface) : surface_(surface) {}

  /// The squared distance from `p` to the nearest triangle: exact if it is above `enough`. Otherwise it is between the
  /// exact value and `enough`. `guess` is a triangle to look at first, and receives the nearest that was found.
  double squared(Vec3 p, uint32_t& guess, double enough);

  /// The nearest triangle.
  uint32_t nearest_triangle(Vec3 p) {
    uint32_t found = 0;
    squared(p, found, 0);
    return found;
  }

 private:
  struct Cell {
    int at[3];
  };
  struct Triangle {
    Vec3 a, b, c;
  };

  Triangle triangle(uint32_t t) const;
  void make_grid();
  Cell cell_of(Vec3 p) const;
  double distance_to_wall(Vec3 p, const Cell& cell) const;
  size_t index(int x, int y, int z) const { return size_t((z * count_ + y) * count_ + x); }
  template <class Visit>
  void visit_cells(uint32_t t, Visit visit) const;
  template <class Visit>
  void visit_ring(const Cell& center, int ring, Visit visit) const;

  Surface surface_;
  Vec3 low_, high_;
  int count_ = 0;  // of cells along an axis; 0: there is no grid yet
  double side_ = 0;
  std::vector<uint32_t> first_;      // in triangles_, of each cell; then the end
  std::vector<uint32_t> triangles_;  // whose bounding box overlaps the cell
};

/// The largest distance from a vertex of `fine` to the nearest point of `coarse`, in the units of the positions. Both
/// must have a triangle. Above 20,000 vertices only every second, third... is measured: at least 10,000.
double largest_distance(const Surface& fine, const Surface& coarse);

/// At most so many vertices of a surface are measured.
inline constexpr size_t kMaxMeasuredVertices = 20000;

/// The vertices that triangles use, ascending, each once; of more than `max_count` only every second, third...
std::vector<uint32_t> used_vertices(std::span<const uint32_t> indices, size_t max_count);

/// The point of triangle `abc` that is nearest to `p`, as shares of b and c.
Vec2 nearest_shares(Vec3 p, Vec3 a, Vec3 b, Vec3 c);

/// The squared distance from `p` to triangle `abc`.
double squared_distance(Vec3 p, Vec3 a, Vec3 b, Vec3 c);

// Values of the vertices of a mesh that come near to values known at points on it: colors of small levels
// of detail, normals and texture coordinates of others.

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
