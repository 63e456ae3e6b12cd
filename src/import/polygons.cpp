#include "polygons.h"

#include <algorithm>
#include <numeric>

namespace sinew::internal {
namespace {

constexpr size_t kMaxCutCorners = 256;  // larger polygons become fans: cutting takes time with the square of corners

/// The normal of a polygon, twice its area long. Source: M. Newell.
Vec3 normal_of(std::span<const Vec3> corners) {
  Vec3 sum;
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    sum = sum + cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  return sum;
}

/// Positive where a, b, c turn as the polygon does.
float turn(Vec3 normal, Vec3 a, Vec3 b, Vec3 c) { return dot(normal, cross(b - a, c - b)); }

bool is_inside(Vec3 normal, Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  return turn(normal, a, b, p) >= 0 && turn(normal, b, c, p) >= 0 && turn(normal, c, a, p) >= 0;
}

class EarCutter {
 public:
  EarCutter(std::span<const Vec3> corners, Vec3 normal) : corners_(corners), normal_(normal), left_(corners.size()) {
    std::iota(left_.begin(), left_.end(), 0u);
  }

  void cut(std::vector<std::array<uint32_t, 3>>& triangles) {
    while (left_.size() > 3) {
      const size_t ear = find_ear();
      triangles.push_back(around(ear));
      left_.erase(left_.begin() + ptrdiff_t(ear));
    }
    triangles.push_back({left_[0], left_[1], left_[2]});
  }

 private:
  std::array<uint32_t, 3> around(size_t i) const {
    const size_t count = left_.size();
    return {left_[(i + count - 1) % count], left_[i], left_[(i + 1) % count]};
  }

  bool is_ear(size_t i) const {
    const auto [a, b, c] = around(i);
    if (!(turn(normal_, corners_[a], corners_[b], corners_[c]) > 0)) return false;
    return std::none_of(left_.begin(), left_.end(), [&, a = a, b = b, c = c](uint32_t p) {
      const auto is_at = [&](uint32_t corner) { return length(corners_[p] - corners_[corner]) == 0; };
      return !is_at(a) && !is_at(b) && !is_at(c) &&
             is_inside(normal_, corners_[p], corners_[a], corners_[b], corners_[c]);
    });
  }

  /// The first ear; the first corner where there is none, as in polygons that cross themselves.
  size_t find_ear() const {
    for (size_t i = 0; i < left_.size(); ++i) {
      if (is_ear(i)) return i;
    }
    return 1;
  }

  std::span<const Vec3> corners_;
  Vec3 normal_;
  std::vector<uint32_t> left_;
};

bool is_convex(std::span<const Vec3> corners, Vec3 normal) {
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i) {
    if (turn(normal, corners[i], corners[(i + 1) % count], corners[(i + 2) % count]) < 0) return false;
  }
  return true;
}

}  // namespace

void triangulate(std::span<const Vec3> corners, std::vector<std::array<uint32_t, 3>>& triangles) {
  if (corners.size() < 3) return;
  const Vec3 normal = normal_of(corners);
  const bool is_simple = corners.size() == 3 || corners.size() > kMaxCutCorners || is_convex(corners, normal);
  if (!is_simple) return EarCutter(corners, normal).cut(triangles);
  for (uint32_t i = 1; i + 1 < corners.size(); ++i) triangles.push_back({0, i, i + 1});
}

}  // namespace sinew::internal
