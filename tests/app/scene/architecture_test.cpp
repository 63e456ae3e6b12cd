// Shapes of buildings: their triangles look outward, and are as many as they should be.
#include "scene/scenes/architecture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

constexpr Color kGray{0.5f, 0.5f, 0.5f};
constexpr Box kBox{{-1, 0, -2}, {1, 3, 2}};

Vec3 normal_of(const StandVertex& vertex) {
  return Vec3{float(vertex.normal[0]), float(vertex.normal[1]), float(vertex.normal[2])} * (1 / 127.0f);
}

/// All triangles of a convex shape look away from a point in it, and their corners are counterclockwise.
void expect_outward(const std::vector<StandVertex>& vertices, Vec3 inside) {
  for (size_t i = 0; i < vertices.size(); i += 3) {
    const Vec3 a = vertices[i].position, b = vertices[i + 1].position, c = vertices[i + 2].position;
    const Vec3 normal = normal_of(vertices[i]);
    EXPECT_NEAR(length(normal), 1, 0.02);
    EXPECT_GT(dot((a + b + c) * (1.0f / 3) - inside, normal), 0) << "triangle " << i / 3;
    EXPECT_GT(dot(normalize(cross(b - a, c - a)), normal), 0.98f) << "triangle " << i / 3;
  }
}

struct Shape {
  const char* name;
  void (*add)(Architecture& built);
  uint32_t triangles;
  Vec3 inside;
  float highest;
};
constexpr Vec3 kBase{1, 0, 1}, kUp{0, 1, 0}, kLow{}, kFar{1, 2, 3}, kAside{2, 0, 0}, kAbove{2, 4, 0};
constexpr Shape kShapes[] = {
    {"box", [](Architecture& a) { a.add_box(kBox, kGray); }, 10, {0, 1, 0}, 3},
    {"column", [](Architecture& a) { a.add_cylinder(kBase, 1, 0.7f, 2, 9, kGray); }, 27, {1, 1, 1}, 2},
    {"cone", [](Architecture& a) { a.add_cylinder(kLow, 1, 0, 2, 7, kGray); }, 7, {0, 0.3f, 0}, 2},
    {"disc", [](Architecture& a) { a.add_disc(kUp, 2, 8, kGray); }, 8, {}, 1},
    {"ring", [](Architecture& a) { a.add_ring(kUp, 1, 2, 8, kGray); }, 16, {}, 1},
    {"gable roof", [](Architecture& a) { a.add_gable_roof(kBox, 1.5f, 0.3f, kGray, kGray); }, 6, {0, 3.1f, 0}, 4.5f},
    {"hip roof", [](Architecture& a) { a.add_hip_roof(kBox, 1.5f, 0.3f, kGray); }, 4, {0, 3.1f, 0}, 4.5f},
    {"panel", [](Architecture& a) { a.add_panel(1, 0, 2, 3, 0.5f, kGray); }, 2, {1, 1, 0}, 2},
    {"panel that looks back", [](Architecture& a) { a.add_panel(1, 0, 2, -3, -0.5f, kGray); }, 2, {1, 1, 0}, 2},
    {"beam", [](Architecture& a) { a.add_beam(kLow, kFar, 0.2f, kGray); }, 8, {0.5f, 1, 1.5f}, 2.085f},
    {"upright beam", [](Architecture& a) { a.add_beam(kAside, kAbove, 0.2f, kGray); }, 8, {2, 2, 0}, 4}};

TEST(Architecture, ShapesLookOutward) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    Architecture built;
    shape.add(built);
    EXPECT_EQ(built.triangle_count(), shape.triangles);
    EXPECT_NEAR(built.highest(), shape.highest, 1e-3);
    expect_outward(built.take(), shape.inside);
  }
}

TEST(Architecture, StandsWhereItIsMovedTo) {
  constexpr float kQuarter = 1.5707963f;
  Architecture built(2);
  built.move_to({10, 0, 0}, kQuarter);  // the front looks along x
  built.add_quad({-1, 0, 3}, {1, 0, 3}, {1, 1, 3}, {-1, 1, 3}, kGray);
  const std::vector<StandVertex> vertices = built.take();
  ASSERT_EQ(vertices.size(), 6u);
  for (const StandVertex& vertex : vertices) {
    EXPECT_NEAR(vertex.position.x, 2 * (10 + 3), 1e-5);
    EXPECT_NEAR(normal_of(vertex).x, 1, 0.01);
  }
}

TEST(Architecture, ColorsVaryByPlaceAndAreTheSameEveryTime) {
  const auto build = [](float share) {
    Architecture built;
    built.vary(share);
    for (int i = 0; i < 20; ++i)
      built.add_quad({0, 0, float(i)}, {1, 0, float(i)}, {1, 1, float(i)}, {0, 1, float(i)}, kGray);
    std::set<uint32_t> colors;
    for (const StandVertex& vertex : built.take()) colors.insert(vertex.color);
    return colors;
  };
  EXPECT_EQ(build(0).size(), 1u);
  EXPECT_GT(build(0.2f).size(), 10u);
  EXPECT_EQ(build(0.2f), build(0.2f));
}

TEST(Town, WindowsGlowWhereTheyAreLit) {
  const auto glowing = [](bool lit) {
    Random random{7};
    Architecture built;
    add_house(built, {}, 0, random_house(random, lit));
    return std::ranges::count_if(built.take(), [](const StandVertex& vertex) { return vertex.color >> 24 > 20; });
  };
  EXPECT_GT(glowing(true), glowing(false));
}

}  // namespace
}  // namespace sinew::app
