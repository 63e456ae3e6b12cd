// Rolling ground: how high it is, and ways over it.
#pragma once

#include <vector>

#include "scene/oval.h"
#include "sinew/asset/math.h"

namespace sinew::app {

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
