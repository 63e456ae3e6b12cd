// Rolling ground: how high it is, and ways over it; and the ovals that people walk on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::app {

/// Two straight sides along x and two half circles. Ovals of one middle line are parallel.
struct Oval {
  float half_straight = 0;  // meters
  float radius = 1;         // of the half circles, and from the middle line to the straight sides

  float perimeter() const { return 4 * half_straight + 2 * std::numbers::pi_v<float> * radius; }

  struct Point {
    Vec3 position, outward;  // y is 0
    /// The direction in which meters grow.
    Vec3 along() const { return {outward.z, 0, -outward.x}; }
  };
  /// The point after `meters` along the oval.
  Point at(float meters) const {
    const float arc = std::numbers::pi_v<float> * radius, straight = 2 * half_straight;
    if (meters < straight) return {{meters - half_straight, 0, radius}, {0, 0, 1}};
    meters -= straight;
    if (meters < arc) return on_arc(half_straight, std::numbers::pi_v<float> / 2 - meters / radius);
    meters -= arc;
    if (meters < straight) return {{half_straight - meters, 0, -radius}, {0, 0, -1}};
    meters -= straight;
    return on_arc(-half_straight, -std::numbers::pi_v<float> / 2 - meters / radius);
  }
  /// How far a point of the ground is from it.
  float distance(float x, float z) const {
    return std::abs(std::hypot(std::max(std::abs(x) - half_straight, 0.0f), z) - radius);
  }
  /// A polygon around it: so many points of each straight side and of each half circle, and the first one again. Those
  /// of one number on ovals of one middle line lie on one line outward. `one_side`: of the straight side at -z alone.
  std::vector<Point> points(uint32_t of_straight, uint32_t of_arc, bool one_side = false) const;

 private:
  /// `angle` is from x towards z.
  Point on_arc(float middle, float angle) const {
    const Vec3 outward{std::cos(angle), 0, std::sin(angle)};
    return {Vec3{middle, 0, 0} + outward * radius, outward};
  }
};

/// A smooth ground without edges, nowhere below 0: small hills in the middle, larger ones further away. Meters, world
/// space. All are alike but for their scale.
class Terrain {
 public:
  /// All lengths are multiplied by `scale`, as Architecture does it.
  explicit Terrain(float scale = 1) : scale_(scale) {}

  float height(float x, float z) const;
  Vec3 ground(float x, float z) const { return {x, height(x, z), z}; }
  /// Upward, of unit length.
  Vec3 normal(float x, float z) const;

 private:
  float scale_ = 1;
};

/// A loop that lies on a terrain: how far along the ground its points are. A walker whose steps have the length that
/// they have on a plain gets on less, seen from above, where it goes up or down.
class GroundWay {
 public:
  /// `center` is that of the loop; its height does not count.
  GroundWay(const Terrain& terrain, const Oval& loop, Vec3 center);

  /// Meters along the ground, once around.
  double perimeter() const { return along_.back(); }
  /// The meters of the loop itself after `meters` along the ground; both are within one round.
  float loop_meters(double meters) const;

 private:
  std::vector<double> along_;  // meters along the ground up to equal steps of the loop, from 0 to the perimeter
  double step_ = 0;            // meters of the loop
};

}  // namespace sinew::app
