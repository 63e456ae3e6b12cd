// order_by_influences() changes the order of the vertices and nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/asset/mesh.h"
#include "sinew/experimental/gather_lines.h"

namespace sinew {
namespace {

/// Vertex v is at x = v and has 1 + v * 7 % 5 influences. There are two parts. A triangle joins three consecutive
/// vertices.
Mesh numbered_mesh(uint32_t vertices) {
  Mesh mesh;
  mesh.first_influence = {0};
  for (uint32_t v = 0; v < vertices; ++v) {
    const uint32_t count = 1 + v * 7 % 5;
    mesh.positions.push_back({float(v), 0, 0});
    mesh.normals.push_back({0, float(v), 0});
    mesh.tangents.push_back({std::cos(float(v)), std::sin(float(v)), 0, v % 3 == 0 ? -1.0f : 1.0f});
    mesh.uvs.push_back({float(v), 0});
    mesh.colors.push_back({uint16_t(v), 0, 0, 0});
    mesh.second_uvs.push_back({float(v), 0});
    for (uint32_t i = 0; i < count; ++i) mesh.influences.push_back({uint16_t(v % 100), 1.0f / float(count)});
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  const uint32_t split = vertices / 3;
  for (uint32_t v = 0; v + 2 < split; ++v) mesh.indices.insert(mesh.indices.end(), {v, v + 1, v + 2});
  const uint32_t first_indices = uint32_t(mesh.indices.size());
  for (uint32_t v = split; v + 2 < vertices; ++v) mesh.indices.insert(mesh.indices.end(), {v, v + 1, v + 2});
  mesh.parts = {{"a", PartKind::kSkinned, 0, 0, split, 0, first_indices},
                {"b", PartKind::kSkinned, 0, split, vertices - split, first_indices,
                 uint32_t(mesh.indices.size()) - first_indices}};
  return mesh;
}

TEST(MeshOrder, AttributesAndTrianglesFollowTheirVertices) {
  const Mesh before = numbered_mesh(5000);
  Mesh mesh = before;
  ASSERT_TRUE(order_by_influences(mesh));
  EXPECT_TRUE(validate(mesh, 100));
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const uint32_t old_vertex = uint32_t(mesh.positions[v].x);
    ASSERT_EQ(mesh.normals[v].y, float(old_vertex));
    ASSERT_EQ(mesh.tangents[v].y, before.tangents[old_vertex].y);
    ASSERT_EQ(mesh.tangents[v].w, before.tangents[old_vertex].w);
    ASSERT_EQ(mesh.uvs[v].x, float(old_vertex));
    ASSERT_EQ(mesh.colors[v].r, old_vertex);
    ASSERT_EQ(mesh.second_uvs[v].x, float(old_vertex));
    ASSERT_EQ(mesh.influences_of(v).size(), before.influences_of(old_vertex).size());
    ASSERT_EQ(mesh.influences_of(v)[0].entry, old_vertex % 100);
  }
  ASSERT_EQ(mesh.indices.size(), before.indices.size());
  for (size_t i = 0; i < mesh.indices.size(); ++i)
    ASSERT_EQ(mesh.positions[mesh.indices[i]].x, before.positions[before.indices[i]].x);
  const std::vector<Vec3> positions = mesh.positions;
  mesh = before;
  mesh.tangents.clear(), mesh.colors.clear();  // they may be absent
  ASSERT_TRUE(order_by_influences(mesh) && validate(mesh, 100));
  EXPECT_TRUE(mesh.tangents.empty() && mesh.colors.empty() && mesh.positions == positions);
  Mesh empty;
  empty.first_influence = {0};
  EXPECT_TRUE(order_by_influences(empty) && validate(empty, 1));
}

TEST(MeshOrder, EqualInfluenceCountsAreAdjacentAndVerticesStayNear) {
  Mesh mesh = numbered_mesh(5000);
  ASSERT_TRUE(order_by_influences(mesh));
  uint32_t sequences = 1;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_LT(std::abs(mesh.positions[v].x - float(v)), 1024);
    if (v > 0 && mesh.influences_of(v).size() != mesh.influences_of(v - 1).size()) ++sequences;
  }
  EXPECT_EQ(sequences, 6u * 5 - 5);  // 5 influence counts in each of 6 windows; neighbors share one
}

/// One influence of entry 0 is in one line, of entry 1 in two: rows of 48 to 96 bytes.
TEST(GatherLines, CountsTheLinesOfEachLoad) {
  Mesh mesh = numbered_mesh(64);
  const auto lines_with = [&](auto entries_of) {
    mesh.first_influence = {0}, mesh.influences.clear();
    for (uint32_t v = 0; v < 64; ++v) {
      for (const uint32_t entry : entries_of(v)) mesh.influences.push_back({uint16_t(entry), 0.5f});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
    return *experimental::gather_lines(mesh);
  };
  using List = std::vector<uint32_t>;
  EXPECT_EQ(lines_with([](uint32_t) { return List{0}; }), 2 * 3) << "two waves, three rows";
  EXPECT_EQ(lines_with([](uint32_t v) { return List{v % 2}; }), 2 * (1 + 2 + 2)) << "rows at 0, 16, 32; 48, 64, 80";
  EXPECT_EQ(lines_with([](uint32_t v) { return v < 32 ? List{8, 4} : List{4}; }), 3 * 2 + 3);
  EXPECT_EQ(lines_with([](uint32_t v) { return v == 5 ? List{4, 8} : List{4}; }), 3 + 3 * 2 + 3) << "others load again";
  EXPECT_EQ(lines_with([](uint32_t v) { return v % 2 == 0 ? List{4, 8} : List{8, 4}; }), 2 * 6) << "in one order";
  mesh.blend = Blend::kDualQuaternion;
  EXPECT_EQ(lines_with([](uint32_t v) { return v % 2 == 0 ? List{4, 8} : List{8, 4}; }), 2 * 12) << "heaviest first";
}

TEST(MeshOrder, EqualEntriesAreNeighbors) {
  Mesh mesh = numbered_mesh(1024);
  mesh.parts = {{"all", PartKind::kSkinned, 0, 0, 1024, 0, uint32_t(mesh.indices.size())}};
  const double before = *experimental::gather_lines(mesh);
  ASSERT_TRUE(order_by_influences(mesh));
  EXPECT_LT(*experimental::gather_lines(mesh), 0.5 * before);
  for (uint32_t v = 1; v < 1024; ++v) {
    if (mesh.influences_of(v).size() != mesh.influences_of(v - 1).size()) continue;
    EXPECT_LE(mesh.influences_of(v - 1)[0].entry, mesh.influences_of(v)[0].entry);
  }
}

}  // namespace
}  // namespace sinew
