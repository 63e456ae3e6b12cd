#include "lod/lod_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::internal {
namespace {

constexpr size_t kMaxSamples = 20000;
constexpr double kMaxCells = 64;  // of the grid, along one axis

struct Triangle {
  Vec3 a, b, c;
};

double squared(Vec3 v) { return double(dot(v, v)); }

double squared_distance(Vec3 p, Vec3 from, Vec3 to) {
  const Vec3 along = to - from;
  const float size = dot(along, along);
  const float share = size > 0 ? std::clamp(dot(p - from, along) / size, 0.0f, 1.0f) : 0;
  return squared(p - (from + along * share));
}

/// The squared distance to the triangle: to its plane if the point projects inside, else to the nearest edge.
double squared_distance(Vec3 p, const Triangle& t) {
  const Vec3 normal = cross(t.b - t.a, t.c - t.a);
  const auto inside = [&](Vec3 from, Vec3 to) { return dot(cross(to - from, p - from), normal) >= 0; };
  const double size = squared(normal);
  if (size > 0 && inside(t.a, t.b) && inside(t.b, t.c) && inside(t.c, t.a)) {
    const double height = double(dot(p - t.a, normal));
    return height * height / size;
  }
  return std::min({squared_distance(p, t.a, t.b), squared_distance(p, t.b, t.c), squared_distance(p, t.c, t.a)});
}

/// A uniform grid: each cell lists the triangles whose bounding box overlaps it.
class Grid {
 public:
  explicit Grid(const Surface& surface) {
    for (size_t i = 0; i + 2 < surface.indices.size(); i += 3) {
      const auto at = [&](size_t corner) { return surface.positions[surface.indices[i + corner]]; };
      triangles_.push_back({at(0), at(1), at(2)});
    }
    low_ = high_ = triangles_[0].a;
    for (const Triangle& t : triangles_) {
      for (const Vec3 p : {t.a, t.b, t.c}) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
        high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
      }
    }
    const Vec3 size = high_ - low_;
    count_ = int(std::clamp(std::ceil(std::sqrt(double(triangles_.size()))), 1.0, kMaxCells));
    side_ = double(std::max({size.x, size.y, size.z})) / count_;
    cells_.resize(size_t(count_) * size_t(count_) * size_t(count_));
    for (uint32_t t = 0; t < triangles_.size(); ++t) insert(t);
  }

  /// The squared distance to the nearest triangle: exact if it is above `enough`. Otherwise the search stops early,
  /// with a result between the exact value and `enough`.
  double squared_distance(Vec3 p, double enough) const {
    const Cell at = cell_of(p);
    const double to_wall = distance_to_wall(p, at);
    double nearest = INFINITY;
    for (int ring = 0; ring < count_ && nearest > enough; ++ring) {
      const double min_distance = to_wall + (ring - 1) * side_;  // no new triangle of this ring is nearer
      if (min_distance > 0 && nearest <= min_distance * min_distance) break;
      visit_ring(at, ring,
                 [&](uint32_t t) { nearest = std::min(nearest, internal::squared_distance(p, triangles_[t])); });
    }
    return nearest;
  }

 private:
  struct Cell {
    int at[3];
  };

  /// The cell of a point; outside the grid, the nearest cell.
  Cell cell_of(Vec3 p) const {
    const double from[3] = {double(p.x - low_.x), double(p.y - low_.y), double(p.z - low_.z)};
    Cell cell;
    for (int i = 0; i < 3; ++i) {
      cell.at[i] = side_ > 0 ? int(std::clamp(std::floor(from[i] / side_), 0.0, double(count_ - 1))) : 0;
    }
    return cell;
  }

  /// The distance from a point to the nearest wall of its cell. Negative if the point is outside the cell.
  double distance_to_wall(Vec3 p, const Cell& cell) const {
    const double from[3] = {double(p.x - low_.x), double(p.y - low_.y), double(p.z - low_.z)};
    double nearest = INFINITY;
    for (int i = 0; i < 3; ++i) {
      const double low = from[i] - cell.at[i] * side_;
      nearest = std::min({nearest, low, side_ - low});
    }
    return nearest;
  }

  size_t index(int x, int y, int z) const { return size_t((z * count_ + y) * count_ + x); }

  void insert(uint32_t t) {
    const Triangle& corners = triangles_[t];
    const Cell a = cell_of(corners.a), b = cell_of(corners.b), c = cell_of(corners.c);
    const auto min_cell = [&](int i) { return std::min({a.at[i], b.at[i], c.at[i]}); };
    const auto max_cell = [&](int i) { return std::max({a.at[i], b.at[i], c.at[i]}); };
    for (int z = min_cell(2); z <= max_cell(2); ++z) {
      for (int y = min_cell(1); y <= max_cell(1); ++y) {
        for (int x = min_cell(0); x <= max_cell(0); ++x) cells_[index(x, y, z)].push_back(t);
      }
    }
  }

  /// Calls `visit` for each triangle of the cells whose largest distance from `center` along an axis is `ring` cells.
  template <class Visit>
  void visit_ring(const Cell& center, int ring, Visit visit) const {
    const auto first = [&](int i) { return std::max(center.at[i] - ring, 0); };
    const auto last = [&](int i) { return std::min(center.at[i] + ring, count_ - 1); };
    for (int z = first(2); z <= last(2); ++z) {
      for (int y = first(1); y <= last(1); ++y) {
        const bool whole = std::abs(z - center.at[2]) == ring || std::abs(y - center.at[1]) == ring;
        for (int x = first(0); x <= last(0); ++x) {
          if (!whole && std::abs(x - center.at[0]) != ring) continue;
          for (const uint32_t t : cells_[index(x, y, z)]) visit(t);
        }
      }
    }
  }

  std::vector<Triangle> triangles_;
  Vec3 low_, high_;
  int count_ = 1;
  double side_ = 0;
  std::vector<std::vector<uint32_t>> cells_;
};

}  // namespace

double largest_distance(const Surface& fine, const Surface& coarse) {
  const Grid grid(coarse);
  std::vector<uint32_t> vertices(fine.indices.begin(), fine.indices.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const size_t stride = (vertices.size() + kMaxSamples - 1) / kMaxSamples;
  double largest = 0;
  for (size_t i = 0; i < vertices.size(); i += stride) {
    largest = std::max(largest, grid.squared_distance(fine.positions[vertices[i]], largest));
  }
  return std::sqrt(largest);
}

}  // namespace sinew::internal
