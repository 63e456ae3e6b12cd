// The sphere test in vectors finds what scalar code finds, with every instruction set of the machine.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "crowd/sphere_test.h"
#include "crowd_world.h"

namespace sinew::crowd::internal {
namespace {

float distance_to(const Vec4& plane, Vec3 p) { return plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w; }

bool is_inside(const Frustum& frustum, const Sphere& sphere) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(),
                     [&](const Vec4& plane) { return distance_to(plane, sphere.center) >= sphere.radius + kSlack; });
}

bool shadow_may_be_visible(const SphereTest& test, const Sphere& sphere) {
  const SunShadows& sun = *test.shadows;
  const float top = dot(sphere.center, test.up) + sphere.radius;
  const Vec3 sweep = sun.to_sun * (-std::max(top - sun.lowest_ground, 0.0f) / dot(sun.to_sun, test.up));
  const auto& planes = test.frusta.front().planes;
  return std::all_of(planes.begin(), planes.end(), [&](const Vec4& plane) {
    const float swept = std::max(dot(Vec3{plane.x, plane.y, plane.z}, sweep), 0.0f);
    return !(distance_to(plane, sphere.center) < -(sphere.radius + swept + sun.margin + kSlack));
  });
}

SphereBits expected(const SphereTest& test, std::span<const Sphere> spheres) {
  SphereBits bits;
  for (size_t i = 0; i < spheres.size(); ++i) {
    const Sphere& sphere = spheres[i];
    bool drawn = test.shadows != nullptr && shadow_may_be_visible(test, sphere), inside = false;
    for (size_t f = 0; f < test.frusta.size(); ++f) {
      drawn |= (f > 0 || test.shadows == nullptr) && may_be_visible(test.frusta[f], sphere);
      inside |= is_inside(test.frusta[f], sphere);
    }
    bits.may_be_drawn |= uint64_t{drawn} << i, bits.inside |= uint64_t{inside} << i;
  }
  return bits;
}

class Spheres : public ::testing::Test {
 protected:
  void TearDown() override { choose(0); }

  /// One instruction set; 0: the machine's best.
  static void choose(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
  }

  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  std::vector<Sphere> random_spheres(size_t count) {
    std::vector<Sphere> spheres;
    for (size_t i = 0; i < count; ++i)
      spheres.push_back({{between(-80, 80), between(-5, 5), between(-80, 20)}, between(0, 9)});
    for (Sphere& sphere : spheres) {
      if (random_() % 40 == 0) sphere.radius = std::numeric_limits<float>::infinity();
      if (random_() % 40 == 0) sphere.center.x = NAN;
    }
    return spheres;
  }

  std::mt19937 random_{11};
};

TEST_F(Spheres, AreFoundByEveryInstructionSetAsByScalarCode) {
  const Frustum frusta[] = {frustum_of(test::camera_at_origin(60)), frustum_of(test::camera_at_origin(20)),
                            frustum_of(View())};
  uint32_t drawn = 0, inside = 0, targets = 0;
  for (int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1, ++targets) {
    choose(left & -left);
    for (size_t round = 0; round < 400; ++round) {
      const SunShadows sun{{between(-2, 2), 1, between(-2, 2)}, -5, between(0, 1)};
      const SphereTest test{std::span(frusta).first(1 + round % 3), round % 2 == 0 ? &sun : nullptr, {0, 1, 0}};
      const std::vector<Sphere> spheres = random_spheres(round % (kSpheresAtOnce + 1));
      const SphereBits found = test_spheres(test, spheres), wanted = expected(test, spheres);
      ASSERT_EQ(found.may_be_drawn, wanted.may_be_drawn) << round << " of target " << (left & -left);
      ASSERT_EQ(found.inside, wanted.inside) << round << " of target " << (left & -left);
      drawn += uint32_t(std::popcount(found.may_be_drawn)), inside += uint32_t(std::popcount(found.inside));
    }
  }
  EXPECT_GT(drawn, 2000 * targets);
  EXPECT_GT(inside, 500 * targets);
}

}  // namespace
}  // namespace sinew::crowd::internal
