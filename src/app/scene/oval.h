// An oval: two straight sides along x and two half circles. Ovals of one middle line are parallel.
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/asset/math.h"

namespace sinew::app {

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

 private:
  /// `angle` is from x towards z.
  Point on_arc(float middle, float angle) const {
    const Vec3 outward{std::cos(angle), 0, std::sin(angle)};
    return {Vec3{middle, 0, 0} + outward * radius, outward};
  }
};

}  // namespace sinew::app
