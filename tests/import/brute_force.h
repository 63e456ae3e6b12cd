// For tests of levels of detail: numbers at random, and distances by brute force, without any code of the levels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>

#include "lod/surface_distance.h"
#include "must.h"
#include "sinew/asset/math.h"

namespace sinew::test {

class LevelDraw {
 public:
  explicit LevelDraw(uint32_t seed) : random_(seed) {}
  float between(float low, float high) { return low + (high - low) * float(random_() >> 8) / float(1 << 24); }
  uint32_t below(size_t count) { return uint32_t(random_() % count); }
  Vec3 vector(float size) { return {between(-size, size), between(-size, size), between(-size, size)}; }

 private:
  std::mt19937 random_;
};

inline double double_dot(Vec3 a, Vec3 b) {
  return double(a.x) * double(b.x) + double(a.y) * double(b.y) + double(a.z) * double(b.z);
}

inline double distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
  const double size = double_dot(b - a, b - a), share = size > 0 ? double_dot(p - a, b - a) / size : 0;
  const Vec3 from = p - a - (b - a) * float(std::clamp(share, 0.0, 1.0));
  return std::sqrt(double_dot(from, from));
}

/// To the plane where the point is between the three edges, else to the nearest edge.
inline double distance_to_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 normal = cross(b - a, c - a);
  const double size = std::sqrt(double_dot(normal, normal));
  const auto is_inside = [&](Vec3 from, Vec3 to) { return double_dot(cross(to - from, p - from), normal) >= 0; };
  if (size > 0 && is_inside(a, b) && is_inside(b, c) && is_inside(c, a))
    return std::abs(double_dot(p - a, normal)) / size;
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

/// The distance to the nearest triangle: every triangle is tried whose box is near enough.
inline double distance_to(Vec3 p, const internal::Surface& surface) {
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < surface.indices.size(); i += 3) {
    const auto at = [&](size_t corner) { return surface.positions[surface.indices[i + corner]]; };
    const Vec3 a = at(0), b = at(1), c = at(2);
    const Vec3 outside = max(max(min(a, min(b, c)) - p, p - max(a, max(b, c))), {});
    if (double_dot(outside, outside) < nearest * nearest) nearest = std::min(nearest, distance_to_triangle(p, a, b, c));
  }
  return nearest;
}

/// A point of a surface, which is found again in other poses.
struct SurfacePick {
  std::array<uint32_t, 3> corners{};
  float b = 0, c = 0;

  SurfacePick(std::span<const uint32_t> indices, LevelDraw& draw) {
    const size_t first = size_t{draw.below(indices.size() / 3)} * 3;
    std::copy_n(indices.begin() + ptrdiff_t(first), 3, corners.begin());
    b = draw.between(0, 1), c = draw.between(0, 1);
    if (b + c > 1) b = 1 - b, c = 1 - c;
  }
  Vec3 in(std::span<const Vec3> positions) const {
    const Vec3 a = positions[corners[0]];
    return a + (positions[corners[1]] - a) * b + (positions[corners[2]] - a) * c;
  }
};

}  // namespace sinew::test
