// Axes and units that a file gives, made valid.
#include "scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace sinew::internal {
namespace {

struct Repaired {
  ModelSpace space;
  std::vector<std::string> warnings;
};

Repaired repaired(ModelSpace space, float default_unit = 1) {
  Repaired result{space, {}};
  repair_space(result.space, result.warnings, default_unit);
  EXPECT_TRUE(validate(result.space)) << validate(result.space).error().message;
  return result;
}

bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

TEST(RepairSpace, LeavesAValidSpaceAsItIs) {
  const float a = 0.6f, b = 0.8f;
  const Repaired valid = repaired({{0, a, b}, {0, -b, a}, 0.0254f});
  EXPECT_TRUE(valid.warnings.empty());
  EXPECT_TRUE(same(valid.space.up, {0, a, b}) && same(valid.space.front, {0, -b, a}));
  EXPECT_EQ(valid.space.meters_per_unit, 0.0254f);
}

TEST(RepairSpace, ReplacesAUnitThatIsNoLength) {
  for (const float unit : {NAN, INFINITY, -INFINITY, 0.0f, -0.01f, 1e-40f, 1e30f}) {
    const Repaired found = repaired({{0, 1, 0}, {0, 0, 1}, unit}, 0.01f);
    EXPECT_EQ(found.space.meters_per_unit, 0.01f) << unit;
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_NE(found.warnings[0].find(" is taken as 0.01 m"), std::string::npos) << found.warnings[0];
    EXPECT_LT(found.warnings[0].size(), 60u) << found.warnings[0];
  }
}

TEST(RepairSpace, ReplacesAFrontAlongTheUpAxis) {
  const Repaired y = repaired({{0, 1, 0}, {0, 1, 0}, 1}), z = repaired({{0, 0, 1}, {0, 0, -1}, 1});
  EXPECT_TRUE(same(y.space.front, {0, 0, 1}));
  EXPECT_TRUE(same(z.space.front, {0, -1, 0}));
  EXPECT_EQ(y.warnings, std::vector<std::string>{"its front axis (0, 1, 0) is along its up axis, (0, 0, 1) is taken"});
}

TEST(RepairSpace, ReplacesAxesWithoutDirection) {
  for (const Vec3 none : {Vec3{0, 0, 0}, Vec3{NAN, 1, 0}, Vec3{0, INFINITY, 0}}) {
    const Repaired up = repaired({none, {0, 0, 1}, 1}), front = repaired({{0, 0, 1}, none, 1});
    EXPECT_TRUE(same(up.space.up, {0, 1, 0}) && same(up.space.front, {0, 0, 1}));
    EXPECT_TRUE(same(front.space.up, {0, 0, 1}) && same(front.space.front, {0, -1, 0}));
    EXPECT_EQ(up.warnings.size(), 1u);
    EXPECT_EQ(front.warnings.size(), 1u);
  }
  EXPECT_EQ(repaired({{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN}).warnings.size(), 3u);
}

TEST(RepairSpace, GivesAxesUnitLengthAndARightAngleWithoutAWord) {
  const Repaired found = repaired({{0, 3e20f, 0}, {0, 1, 1}, 1});
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_TRUE(same(found.space.up, {0, 1, 0}));
  EXPECT_LT(length(found.space.front - Vec3{0, 0, 1}), 1e-6f);
}

}  // namespace
}  // namespace sinew::internal
