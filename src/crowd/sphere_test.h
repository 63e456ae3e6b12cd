// The first test of every instance: a sphere against the frusta of all views, several spheres in a vector.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/math.h"
#include "sinew/crowd/frame.h"
#include "visibility.h"

namespace sinew::crowd::internal {

inline constexpr uint32_t kSpheresAtOnce = 64;

/// Bit i is that of sphere i.
struct SphereBits {
  uint64_t may_be_drawn = 0;  // it may be visible, or its shadow
  uint64_t inside = 0;        // it is wholly inside the frustum of a view
};

/// What spheres are tested against. With `shadows` those of the first view are swept along the sun's rays.
struct SphereTest {
  std::span<const Frustum> frusta;
  const SunShadows* shadows = nullptr;  // null: none
  Vec3 up;
};

/// Tests at most kSpheresAtOnce spheres. A sphere of NaN may be drawn, and is not inside.
SphereBits test_spheres(const SphereTest& test, std::span<const Sphere> spheres);

}  // namespace sinew::crowd::internal
