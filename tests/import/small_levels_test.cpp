// What levels of detail are made of: shapes around points, values of vertices, vertices fitted to a surface.
#include <gtest/gtest.h>

#include <vector>

#include "lod/limb_shapes.h"
#include "lod/surface_distance.h"
#include "lod/textured_levels.h"

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

constexpr uint32_t kColumns = 20;  // of each half of an arch

/// An arch over x from 0 to 1 with a height of x (1 - x), in two halves with a seam between them; u is x squared.
Mesh arch() {
  Mesh mesh;
  for (uint32_t half = 0; half < 2; ++half) {
    const uint32_t first = mesh.vertex_count();
    for (uint32_t i = 0; i <= kColumns; ++i) {
      const float x = (float(half) + float(i) / kColumns) / 2;
      for (const float z : {0.0f, 1.0f}) {
        mesh.positions.push_back({x, x * (1 - x), z});
        mesh.normals.push_back(normalize(Vec3{2 * x - 1, 1, 0}));
        mesh.uvs.push_back({x * x, z});
      }
      const uint32_t a = first + i * 2;
      if (i < kColumns) mesh.indices.insert(mesh.indices.end(), {a, a + 1, a + 2, a + 2, a + 1, a + 3});
    }
  }
  return mesh;
}

/// Four triangles of the arch's vertices: half of it is one flat piece.
std::vector<uint32_t> flat_halves() {
  const uint32_t end = kColumns * 2, next = end + 2, last = next + end;
  return {0, 1, end, end, 1, end + 1, next, next + 1, last, last, next + 1, last + 1};
}

TEST(TexturedFit, KeepsPositions) {
  const Mesh mesh = arch();
  const Mesh fitted = fitted_to_surface(mesh, mesh.positions, flat_halves());
  for (size_t v = 0; v < mesh.positions.size(); ++v) EXPECT_EQ(length(fitted.positions[v] - mesh.positions[v]), 0) << v;
}

TEST(TexturedFit, KeepsSeamsOfTexturesSmooth) {
  const Mesh mesh = arch();
  const Mesh fitted = fitted_to_surface(mesh, mesh.positions, flat_halves());
  const uint32_t top = kColumns * 2, same = top + 2;
  ASSERT_EQ(length(mesh.normals[top] - mesh.normals[same]), 0);
  EXPECT_EQ(length(fitted.normals[top] - fitted.normals[same]), 0);
}

TEST(TexturedFit, GivesTextureCoordinatesAndNormalsOfTheSurface) {
  const Mesh mesh = arch();
  const Mesh fitted = fitted_to_surface(mesh, mesh.positions, flat_halves());
  EXPECT_LT(fitted.uvs[0].x, -0.02f) << "u is less than linear on each half";
  EXPECT_LT(fitted.uvs[kColumns * 2].x, 0.23f);
  EXPECT_NEAR(length(fitted.normals[0]), 1, 1e-5);
  EXPECT_GT(std::abs(fitted.normals[0].x - mesh.normals[0].x), 0.01f);
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
