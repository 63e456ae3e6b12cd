// What small levels of detail are made of: shapes around points, and values of vertices.
#include <gtest/gtest.h>

#include <vector>

#include "lod/limb_shapes.h"
#include "lod/vertex_fit.h"

namespace sinew::internal {
namespace {

/// Points on a square rod along y from 0 to 1, whose upper part, from `border` on, looks different by `contrast`.
std::vector<LimbPoint> rod(float border, float contrast) {
  std::vector<LimbPoint> points;
  for (int i = 0; i < 400; ++i) {
    const float y = float(i / 4) / 100, side = i % 2 == 0 ? 0.05f : -0.05f;
    const Vec3 at = i % 4 < 2 ? Vec3{side, y, 0} : Vec3{0, y, side};
    points.push_back({at, 0, Look{y < border ? 0 : contrast}});
  }
  return points;
}

size_t shapes_of(const std::vector<LimbPoint>& points) {
  return make_limbs(points, {}, LimbShape::kWedge, 1).indices.size() / 12;
}

TEST(LimbShapes, AreDividedWhereTheirEndsLookDifferent) {
  EXPECT_EQ(shapes_of(rod(0.8f, 0)), 1u);
  EXPECT_EQ(shapes_of(rod(0.8f, 0.5f)), 2u);
  EXPECT_EQ(shapes_of(rod(0.8f, 0.1f)), 1u) << "a small difference";
  EXPECT_EQ(shapes_of(rod(0.99f, 0.5f)), 1u) << "of a small part";
  const LimbMesh divided = make_limbs(rod(0.8f, 0.5f), {}, LimbShape::kWedge, 1);
  ASSERT_EQ(divided.positions.size(), 8u);
  for (size_t v = 0; v < 8; ++v) {
    const float y = divided.positions[v].y;
    EXPECT_TRUE(v < 4 ? y < 0.81f : y > 0.79f) << "the border is where the look changes, not in the middle: " << y;
  }
}

TEST(LimbShapes, CountPointsOfAllJoints) {
  std::vector<LimbPoint> points = rod(0.8f, 0.25f);
  EXPECT_EQ(shapes_of(points), 2u);
  for (int i = 0; i < 2000; ++i) points.push_back({{5 + float(i % 10) * 0.1f, float(i % 7) * 0.1f, 0}, 1, {}});
  EXPECT_EQ(shapes_of(points), 2u) << "one for each joint: what is a small part of the picture is not divided";
}

/// Points on one triangle, with values that are linear on it.
TEST(VertexFit, FindsTheValuesThatTrianglesShow) {
  const float wanted[3] = {0.1f, 0.9f, 0.4f};
  std::vector<PointOnMesh> points;
  std::vector<float> values;
  for (int i = 0; i <= 10; ++i) {
    for (int j = 0; i + j <= 10; ++j) {
      const float b = float(i) / 10, c = float(j) / 10;
      points.push_back({{0, 1, 2}, {1 - b - c, b, c}});
      values.push_back(wanted[0] * (1 - b - c) + wanted[1] * b + wanted[2] * c);
    }
  }
  const float means[3] = {0.4f, 0.5f, 0.45f};
  const std::vector<float> fitted = fit_vertices(points, values, means);
  for (size_t v = 0; v < 3; ++v) EXPECT_NEAR(fitted[v], wanted[v], 0.03f) << v;
}

TEST(VertexFit, StaysBetweenZeroAndOneWithTheSameMean) {
  std::vector<PointOnMesh> points;
  std::vector<float> values;
  for (int i = 0; i <= 100; ++i) {
    points.push_back({{0, 1, 2}, {1 - float(i) / 100, float(i) / 100, 0}});
    values.push_back(i < 20 ? 1 : 0);  // a step: without limits its best line goes below zero
  }
  const float start[4] = {0.2f, 0.2f, 0.7f, 0.6f};
  const std::vector<float> fitted = fit_vertices(points, values, start);
  for (const float value : fitted) EXPECT_TRUE(value >= 0 && value <= 1) << value;
  EXPECT_EQ(fitted[1], 0);
  EXPECT_GT(fitted[0], 0.4f);
  EXPECT_EQ(fitted[2], 0.7f) << "no point is near";
  EXPECT_EQ(fitted[3], 0.6f) << "of no triangle";
}

}  // namespace
}  // namespace sinew::internal
