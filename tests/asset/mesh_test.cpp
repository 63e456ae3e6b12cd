#include "sinew/asset/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "message.h"

namespace sinew {
namespace {

/// Two parts of one triangle each; vertex 4 has two influences.
Mesh two_triangles() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  mesh.normals.assign(6, {0, 0, 1});
  mesh.uvs.resize(6);
  mesh.indices = {0, 1, 2, 3, 4, 5};
  mesh.first_influence = {0, 1, 2, 3, 4, 6, 7};
  mesh.influences = {{0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 0.75f}, {0, 0.25f}, {1, 1}};
  mesh.parts = {{"body", PartKind::kSkinned, 0, 0, 3, 0, 3}, {"hat", PartKind::kSkinned, 0, 3, 3, 3, 3}};
  return mesh;
}

Mesh with_tangents() {
  Mesh mesh = two_triangles();
  mesh.tangents.assign(6, {1, 0, 0, 1});
  mesh.tangents[2] = {0, -0.6f, 0.8f, -1};
  return mesh;
}

TEST(Mesh, InfluencesOfReturnsTheInfluencesOfOneVertex) {
  const Mesh mesh = two_triangles();
  ASSERT_EQ(mesh.influences_of(4).size(), 2u);
  EXPECT_EQ(mesh.influences_of(4)[1].weight, 0.25f);
  EXPECT_EQ(max_influences(mesh), 2u);
}

TEST(Mesh, EveryFaultIsRefused) {
  const auto refused = [](auto damage) {
    Mesh mesh = two_triangles();
    damage(mesh);
    return !validate(mesh, 2);
  };
  EXPECT_FALSE(refused([](Mesh&) {}));
  EXPECT_FALSE(refused([](Mesh& m) { m.colors.resize(6); }));
  EXPECT_FALSE(refused([](Mesh& m) { m = Mesh(), m.first_influence = {0}; })) << "an empty mesh";
  EXPECT_THAT(test::message_of(validate(two_triangles(), 1)), testing::HasSubstr("vertex 3")) << "a palette of 1";
  EXPECT_TRUE(refused([](Mesh& m) { m.colors.resize(7); }));
  EXPECT_TRUE(refused([](Mesh& m) { m.normals.pop_back(); }));
  EXPECT_TRUE(refused([](Mesh& m) { m.uvs.pop_back(); }));
  EXPECT_TRUE(refused([](Mesh& m) { m.positions[2].y = NAN; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.uvs[2].y = INFINITY; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.first_influence.pop_back(); }));
  EXPECT_TRUE(refused([](Mesh& m) { m.first_influence[3] = 99; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.first_influence.back() = 6; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.first_influence[1] = 0; })) << "a vertex without influence";
  EXPECT_TRUE(refused([](Mesh& m) { m.influences[0].weight = 0.5f; })) << "weights must add to 1";
  EXPECT_TRUE(refused([](Mesh& m) { m.influences[0].weight = NAN; }));
  EXPECT_TRUE(refused([](Mesh& m) { std::swap(m.influences[4], m.influences[5]); })) << "the heaviest must be first";
  EXPECT_TRUE(refused([](Mesh& m) { m.indices[0] = 6; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.indices[0] = 3; })) << "a vertex of the next part";
  EXPECT_TRUE(refused([](Mesh& m) { m.parts.pop_back(); }));
  EXPECT_TRUE(refused([](Mesh& m) { m.parts[1].vertex_count = 4; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.parts[1].first_index = 0; }));
  EXPECT_TRUE(refused([](Mesh& m) { m.parts[0].index_count = 2; }));
}

TEST(Mesh, TangentsMustBeUnitVectorsWithAHandedness) {
  const auto message = [](auto damage) {
    return test::message_after(with_tangents(), damage, [](const Mesh& mesh) { return validate(mesh, 2); });
  };
  const std::string wrong = "mesh: vertex 2 has a tangent that is no unit vector with 1 or -1 for w";
  EXPECT_EQ(message([](Mesh&) {}), "");
  EXPECT_EQ(message([](Mesh& m) { m.tangents.pop_back(); }), "mesh: it has 5 tangents for 6 vertices");
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2] = {0, -0.6f, 0.81f, 1}; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2] = {0, 0, 0, 1}; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2].x = NAN; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2].y = INFINITY; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2].w = 0; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2].w = 0.999f; }), wrong);
  EXPECT_EQ(message([](Mesh& m) { m.tangents[2].w = NAN; }), wrong);
}

}  // namespace
}  // namespace sinew
