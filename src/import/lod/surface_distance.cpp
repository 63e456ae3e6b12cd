#include "lod/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sinew::internal {
namespace {

constexpr double kMaxCells = 48;  // of the grid, along one axis

double squared_length(Vec3 v) { return double(dot(v, v)); }

float share_along(Vec3 p, Vec3 from, Vec3 to) {
  const Vec3 along = to - from;
  const float size = dot(along, along);
  return size > 0 ? std::clamp(dot(p - from, along) / size, 0.0f, 1.0f) : 0;
}

constexpr double kHold = 0.02;  // how much a vertex is held at its start, as a share of what points say of it
constexpr int kSteps = 100;

using Values = std::vector<double>;

double at(const PointOnMesh& point, const Values& vertices) {
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += double(point.shares[i]) * vertices[point.vertices[i]];
  return sum;
}

void add_to_vertices(const PointOnMesh& point, double value, Values& vertices) {
  for (size_t i = 0; i < 3; ++i) vertices[point.vertices[i]] += double(point.shares[i]) * value;
}

}  // namespace

/// The foot of the perpendicular if it lies inside, else the nearest point of an edge.
Vec2 nearest_shares(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 ab = b - a, ac = c - a, normal = cross(ab, ac);
  const float size = dot(normal, normal);
  if (size > 0) {
    const float of_c = dot(cross(ab, p - a), normal) / size, of_b = dot(cross(p - a, ac), normal) / size;
    if (of_b >= 0 && of_c >= 0 && of_b + of_c <= 1) return {of_b, of_c};
  }
  const float on_ab = share_along(p, a, b), on_bc = share_along(p, b, c), on_ac = share_along(p, a, c);
  const Vec2 candidates[3] = {{on_ab, 0}, {1 - on_bc, on_bc}, {0, on_ac}};
  const auto distance = [&](Vec2 s) { return squared_length(p - (a + ab * s.x + ac * s.y)); };
  return *std::min_element(candidates, candidates + 3, [&](Vec2 s, Vec2 t) { return distance(s) < distance(t); });
}

SurfaceDistance::Triangle SurfaceDistance::triangle(uint32_t t) const {
  const auto at = [&](size_t corner) { return surface_.positions[surface_.indices[size_t{t} * 3 + corner]]; };
  return {at(0), at(1), at(2)};
}

double squared_distance(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec2 s = nearest_shares(p, a, b, c);
  return squared_length(p - (a + (b - a) * s.x + (c - a) * s.y));
}

double SurfaceDistance::squared(Vec3 p, uint32_t& guess, double enough) {
  const double to_corner = squared_length(p - surface_.positions[surface_.indices[size_t{guess} * 3]]);
  if (to_corner <= enough) return to_corner;
  const Triangle first = triangle(guess);
  double nearest = squared_distance(p, first.a, first.b, first.c);
  if (nearest <= enough) return nearest;
  if (count_ == 0) make_grid();
  const Cell at = cell_of(p);
  const double to_wall = distance_to_wall(p, at);
  for (int ring = 0; ring < count_ && nearest > enough; ++ring) {
    const double min_distance = to_wall + (ring - 1) * side_;  // no new triangle of this ring is nearer
    if (min_distance > 0 && nearest <= min_distance * min_distance) break;
    visit_ring(at, ring, [&](uint32_t t) {
      if (nearest <= enough) return;
      const Triangle own = triangle(t);
      const double distance = squared_distance(p, own.a, own.b, own.c);
      if (distance < nearest) nearest = distance, guess = t;
    });
  }
  return nearest;
}

void SurfaceDistance::make_grid() {
  const uint32_t count = uint32_t(surface_.indices.size() / 3);
  Box box = kEmptyBox;
  for (const uint32_t v : surface_.indices) {
    const Vec3 p = surface_.positions[v];
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
  }
  low_ = box.low, high_ = box.high;
  const Vec3 size = high_ - low_;
  count_ = int(std::clamp(std::ceil(std::sqrt(double(count))), 1.0, kMaxCells));
  side_ = double(std::max({size.x, size.y, size.z})) / count_;
  first_.assign(index(0, 0, count_) + 1, 0);
  for (uint32_t t = 0; t < count; ++t) visit_cells(t, [&](size_t cell) { ++first_[cell + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  triangles_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t t = 0; t < count; ++t) visit_cells(t, [&](size_t cell) { triangles_[next[cell]++] = t; });
}

/// The cell of a point; outside the grid, the nearest cell.
SurfaceDistance::Cell SurfaceDistance::cell_of(Vec3 p) const {
  const double from[3] = {double(p.x - low_.x), double(p.y - low_.y), double(p.z - low_.z)};
  Cell cell;
  for (int i = 0; i < 3; ++i) {
    cell.at[i] = side_ > 0 ? int(std::clamp(std::floor(from[i] / side_), 0.0, double(count_ - 1))) : 0;
  }
  return cell;
}

/// The distance from a point to the nearest wall of its cell. Negative if the point is outside the cell.
double SurfaceDistance::distance_to_wall(Vec3 p, const Cell& cell) const {
  const double from[3] = {double(p.x - low_.x), double(p.y - low_.y), double(p.z - low_.z)};
  double nearest = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double low = from[i] - cell.at[i] * side_;
    nearest = std::min({nearest, low, side_ - low});
  }
  return nearest;
}

/// Calls `visit` for each cell that the triangle's bounding box overlaps.
template <class Visit>
void SurfaceDistance::visit_cells(uint32_t t, Visit visit) const {
  const Triangle corners = triangle(t);
  const Cell a = cell_of(corners.a), b = cell_of(corners.b), c = cell_of(corners.c);
  const auto min_cell = [&](int i) { return std::min({a.at[i], b.at[i], c.at[i]}); };
  const auto max_cell = [&](int i) { return std::max({a.at[i], b.at[i], c.at[i]}); };
  for (int z = min_cell(2); z <= max_cell(2); ++z) {
    for (int y = min_cell(1); y <= max_cell(1); ++y) {
      for (int x = min_cell(0); x <= max_cell(0); ++x) visit(index(x, y, z));
    }
  }
}

/// Calls `visit` for each triangle of the cells whose largest distance from `center` along an axis is `ring` cells.
template <class Visit>
void SurfaceDistance::visit_ring(const Cell& center, int ring, Visit visit) const {
  const auto first = [&](int i) { return std::max(center.at[i] - ring, 0); };
  const auto last = [&](int i) { return std::min(center.at[i] + ring, count_ - 1); };
  for (int z = first(2); z <= last(2); ++z) {
    for (int y = first(1); y <= last(1); ++y) {
      const bool whole = std::abs(z - center.at[2]) == ring || std::abs(y - center.at[1]) == ring;
      for (int x = first(0); x <= last(0); ++x) {
        if (!whole && std::abs(x - center.at[0]) != ring) continue;
        const size_t cell = index(x, y, z);
        for (uint32_t i = first_[cell]; i < first_[cell + 1]; ++i) visit(triangles_[i]);
      }
    }
  }
}

std::vector<uint32_t> used_vertices(std::span<const uint32_t> indices, size_t max_count) {
  std::vector<uint32_t> vertices(indices.begin(), indices.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const size_t stride = (vertices.size() + max_count - 1) / max_count;
  size_t kept = 0;
  for (size_t i = 0; i < vertices.size(); i += stride) vertices[kept++] = vertices[i];
  vertices.resize(kept);
  return vertices;
}

double largest_distance(const Surface& fine, const Surface& coarse) {
  SurfaceDistance to_coarse(coarse);
  double largest = 0;
  uint32_t guess = 0;
  for (const uint32_t v : used_vertices(fine.indices, kMaxMeasuredVertices))
    largest = std::max(largest, to_coarse.squared(fine.positions[v], guess, largest));
  return std::sqrt(largest);
}

/// Projected gradients with momentum. The step of a vertex is the inverse of the sum of its row of the normal
/// equations. Source: Beck, Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems",
/// 2009.
std::vector<float> fit_vertices(std::span<const PointOnMesh> points, std::span<const float> values,
                                std::span<const float> start, ValueRange range) {
  Values weight(start.size());
  for (const PointOnMesh& point : points) add_to_vertices(point, 1, weight);
  Values fitted(start.begin(), start.end()), ahead = fitted, error(start.size());
  for (int step = 0; step < kSteps; ++step) {
    std::fill(error.begin(), error.end(), 0);
    for (size_t i = 0; i < points.size(); ++i)
      add_to_vertices(points[i], double(values[i]) - at(points[i], ahead), error);
    const double momentum = double(step) / double(step + 3);
    for (size_t v = 0; v < fitted.size(); ++v) {
      if (!(weight[v] > 0)) continue;
      error[v] += kHold * weight[v] * (double(start[v]) - ahead[v]);
      const double next = std::clamp(ahead[v] + error[v] / (weight[v] * (1 + kHold)), range.lowest, range.highest);
      const double change = next - std::exchange(fitted[v], next);
      ahead[v] = next + momentum * change;
    }
  }
  return {fitted.begin(), fitted.end()};
}

}  // namespace sinew::internal
