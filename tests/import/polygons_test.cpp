// Polygons as triangles: the area is that of the polygon, and no triangle is turned over.
#include "surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::test {
namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;

Triangles triangles_of(const std::vector<Vec3>& corners) {
  Triangles triangles;
  internal::triangulate(corners, triangles);
  return triangles;
}

/// Twice the area of a polygon in the plane z = 0, by the shoelace formula: negative clockwise.
double area(const std::vector<Vec3>& corners) {
  double sum = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = corners[i], b = corners[(i + 1) % corners.size()];
    sum += double(a.x) * double(b.y) - double(b.x) * double(a.y);
  }
  return sum;
}

/// The triangles have the direction of the polygon, and together its area: so they do not overlap.
void expect_covered(const std::vector<Vec3>& corners) {
  const Triangles triangles = triangles_of(corners);
  ASSERT_EQ(triangles.size(), corners.size() - 2);
  const double whole = area(corners);
  double sum = 0;
  for (const auto& t : triangles) {
    const double part = area({corners[t[0]], corners[t[1]], corners[t[2]]});
    EXPECT_GE(part * whole, -1e-5);
    sum += part;
  }
  EXPECT_NEAR(sum, whole, 1e-5 * std::abs(whole));
}

const std::vector<Vec3> kArrow = {{0, 0, 0}, {2, 2, 0}, {0, 1, 0}, {-2, 2, 0}};
const std::vector<Vec3> kCorner = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};

std::vector<Vec3> star(int points) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 2 * points; ++i) {
    const float angle = float(i) * float(std::numbers::pi) / float(points), radius = i % 2 == 0 ? 1.0f : 0.3f;
    corners.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  return corners;
}

std::vector<Vec3> reversed(std::vector<Vec3> corners) { return {corners.rbegin(), corners.rend()}; }

/// The same polygon, begun at each corner: the first corner may be a reflex one.
void expect_covered_from_every_corner(std::vector<Vec3> corners) {
  for (size_t i = 0; i < corners.size(); ++i) {
    expect_covered(corners), expect_covered(reversed(corners));
    corners.push_back(corners.front());
    corners.erase(corners.begin());
  }
}

TEST(PolygonsTest, FewerThanThreeCornersGiveNothing) {
  EXPECT_TRUE(triangles_of({}).empty());
  EXPECT_TRUE(triangles_of({{0, 0, 0}, {1, 0, 0}}).empty());
}

TEST(PolygonsTest, ConvexPolygonsAreFans) {
  using Triangle = std::array<uint32_t, 3>;
  EXPECT_THAT(triangles_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}),
              ::testing::ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
}

TEST(PolygonsTest, ConcavePolygonsKeepTheirArea) {
  expect_covered_from_every_corner(kArrow);
  expect_covered_from_every_corner(kCorner);
  expect_covered_from_every_corner(star(5));
  expect_covered(star(60));
}

TEST(PolygonsTest, ConcavePolygonsInAnyPlaneKeepTheirArea) {
  for (const std::vector<Vec3>& flat : {kArrow, kCorner}) {
    std::vector<Vec3> tilted;  // by a rotation about (1, 1, 1): z becomes x, x becomes y, y becomes z
    for (const Vec3 corner : flat) tilted.push_back({corner.z, corner.x, corner.y});
    double sum = 0;
    for (const auto& t : triangles_of(tilted)) {
      const Vec3 normal = cross(tilted[t[1]] - tilted[t[0]], tilted[t[2]] - tilted[t[0]]);
      sum += double(normal.x);
    }
    EXPECT_NEAR(sum, area(flat), 1e-5);
  }
}

/// Corners on a line between others, and corners that lie at the same place, as where a hole is bridged.
TEST(PolygonsTest, CornersOnLinesAndTwiceAtAPlaceKeepTheArea) {
  expect_covered({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}});
  expect_covered(
      {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}});
}

TEST(PolygonsTest, LinesCrossingsAndNumbersThatAreNotFiniteStillGiveTriangles) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<Vec3>& corners :
       {std::vector<Vec3>{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}},             // a bow tie
        std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}},  // a line
        std::vector<Vec3>{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},             // a point
        std::vector<Vec3>{{0, 0, 0}, {nan, 0, 0}, {2, nan, 0}, {3, 0, nan}, {4, 0, 0}}}) {
    const Triangles triangles = triangles_of(corners);
    EXPECT_EQ(triangles.size(), corners.size() - 2);
    for (const auto& t : triangles) {
      for (const uint32_t corner : t) EXPECT_LT(corner, corners.size());
    }
  }
}

/// Cutting takes time with the square of corners, or more: large polygons are not cut.
TEST(PolygonsTest, HugePolygonsAreFans) {
  const Triangles triangles = triangles_of(star(50000));
  EXPECT_EQ(triangles.size(), 99998u);
  EXPECT_THAT(triangles.front(), ::testing::ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace sinew::test
