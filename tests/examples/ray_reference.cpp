#include "examples/ray_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sinew::test {
namespace {

constexpr double kTolerance = 1e-4;   // meters, along the normal: ten times what skinning and tracing round
constexpr double kEdge = 0.01;        // barycentric
constexpr double kFlatCosine = 0.05;  // of the angle between a ray and a normal

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator*(Point a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross_product(Point a, Point b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Point normalized(Point a) {
  const double length = std::sqrt(dot(a, a));
  return length > 0 ? a * (1 / length) : Point{};
}
Point point(const float (&v)[3]) { return {v[0], v[1], v[2]}; }

Point place(const Matrix3x4& m, Vec3 p) {
  const auto row = [&](int r) {
    return double(m.m[r][0]) * p.x + double(m.m[r][1]) * p.y + double(m.m[r][2]) * p.z + m.m[r][3];
  };
  return {row(0), row(1), row(2)};
}

Point random_direction(std::mt19937& random) {
  std::uniform_real_distribution<double> side(-1, 1);
  for (;;) {
    const Point p{side(random), side(random), side(random)};
    if (dot(p, p) > 0.01 && dot(p, p) < 1) return normalized(p);
  }
}

Ray ray_from(Point origin, Point direction) {
  return {{float(origin.x), float(origin.y), float(origin.z)},
          100,
          {float(direction.x), float(direction.y), float(direction.z)},
          0};
}

std::string describe(const char* what, const Hit& hit, double expected) {
  char text[160];
  std::snprintf(text, sizeof text, "%s: distance %g, instance %u, triangle %u; expected distance %g", what,
                double(hit.distance), hit.instance, hit.triangle, expected);
  return text;
}

}  // namespace

RayReference::RayReference(const Mesh& mesh, std::span<const std::vector<Vec3>> poses,
                           std::span<const rays::PlacedPose> instances)
    : triangles_per_instance_(uint32_t(mesh.indices.size() / 3)) {
  for (const rays::PlacedPose& instance : instances) {
    const std::vector<Vec3>& positions = poses[instance.pose];
    for (size_t i = 0; i < mesh.indices.size(); i += 3) {
      Point corners[3];
      for (size_t k = 0; k < 3; ++k) corners[k] = place(instance.world_from_model, positions[mesh.indices[i + k]]);
      const Point u = corners[1] - corners[0], v = corners[2] - corners[0];
      triangles_.push_back({corners[0], {u, v}, normalized(cross_product(u, v))});
    }
  }
}

std::vector<Ray> RayReference::make_rays(uint32_t count, uint32_t seed) const {
  std::mt19937 random(seed);
  std::uniform_int_distribution<size_t> any(0, triangles_.size() - 1);
  std::uniform_real_distribution<double> part(0.1, 0.45), distance(0.5, 4);
  std::vector<Ray> rays(count);
  for (uint32_t i = 0; i < count; ++i) {
    const Triangle& triangle = triangles_[any(random)];
    const Point target = triangle.corner + triangle.edges[0] * part(random) + triangle.edges[1] * part(random);
    const Point direction = random_direction(random);
    const Point origin = target - direction * distance(random);
    rays[i] = ray_from(origin, i % 4 == 3 ? random_direction(random) : direction);
  }
  return rays;
}

/// Source: Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
RayReference::Crossing RayReference::cross(const Ray& ray, const Triangle& triangle) {
  const Point direction = point(ray.direction);
  const Point p = cross_product(direction, triangle.edges[1]);
  const double determinant = dot(triangle.edges[0], p);
  if (determinant == 0) return {};
  const Point from_corner = point(ray.origin) - triangle.corner;
  const double u = dot(from_corner, p) / determinant;
  if (u < -kEdge || u > 1 + kEdge) return {};
  const Point q = cross_product(from_corner, triangle.edges[0]);
  const double v = dot(direction, q) / determinant;
  const double inside = std::min({u, v, 1 - u - v});
  const double distance = dot(triangle.edges[1], q) / determinant;
  if (inside < -kEdge || distance < 0 || distance > ray.max_distance) return {};
  return {distance, inside, std::abs(dot(triangle.normal, direction)), true};
}

Difference RayReference::compare(std::span<const Ray> rays, std::span<const Hit> hits) const {
  Difference difference;
  for (size_t i = 0; i < rays.size(); ++i) compare_one(rays[i], hits[i], difference);
  return difference;
}

void RayReference::compare_one(const Ray& ray, const Hit& hit, Difference& difference) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Crossing nearest{.distance = kNone};
  double nearest_doubtful = kNone;
  for (const Triangle& triangle : triangles_) {
    const Crossing crossing = cross(ray, triangle);
    if (!crossing.is_valid) continue;
    if (crossing.inside < kEdge || crossing.cosine < kFlatCosine) {
      nearest_doubtful = std::min(nearest_doubtful, crossing.distance);
    } else if (crossing.distance < nearest.distance) {
      nearest = crossing;
    }
  }
  const double tolerance = nearest.is_valid ? kTolerance / nearest.cosine : kTolerance;
  if (nearest_doubtful < nearest.distance + tolerance) {
    ++difference.doubtful;
    return;
  }
  ++difference.compared;
  const bool is_hit = hit.distance >= 0;
  if (!nearest.is_valid) ++difference.misses;
  const char* wrong = nullptr;
  if (is_hit != nearest.is_valid) {
    wrong = is_hit ? "hit nothing that is there" : "missed";
  } else if (is_hit && std::abs(hit.distance - nearest.distance) > tolerance) {
    wrong = "another distance";
  } else if (is_hit) {
    // Of triangles at the same distance, any will do.
    const size_t index = size_t{hit.instance} * triangles_per_instance_ + hit.triangle;
    const bool is_known = hit.triangle < triangles_per_instance_ && index < triangles_.size();
    const Crossing named = is_known ? cross(ray, triangles_[index]) : Crossing{};
    if (!named.is_valid || std::abs(named.distance - nearest.distance) > 2 * tolerance) wrong = "another triangle";
  }
  if (wrong == nullptr) return;
  if (difference.wrong++ == 0) difference.first_wrong = describe(wrong, hit, nearest.distance);
}

}  // namespace sinew::test
