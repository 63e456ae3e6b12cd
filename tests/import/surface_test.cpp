// What a vertex has stays with it, where vertices are welded and where parts are put together.
#include "surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "morph_targets.h"

namespace sinew::test {
namespace {

using internal::SceneMesh;
using internal::TargetBuilder;
using ::testing::ElementsAre;

/// Vertices with all that they may have, each part of it one of two values: many are equal.
SceneMesh random_soup(std::mt19937& random) {
  const auto chance = [&] { return random() % 2 == 0; };
  const auto number = [&] { return float(random() % 2); };
  const bool has_normals = chance(), has_tangents = chance(), has_uvs = chance(), has_second = chance(),
             has_colors = chance(), has_influences = chance(), has_targets = chance();
  SceneMesh mesh;
  const uint32_t count = 3 * (4 + random() % 20);
  if (has_influences) mesh.first_influence = {0};
  if (has_targets) mesh.targets.resize(2);
  for (uint32_t v = 0; v < count; ++v) {
    mesh.positions.push_back({number(), 0, 0});
    if (has_normals) mesh.normals.push_back({0, number(), 0});
    if (has_tangents) mesh.tangents.push_back({1, 0, 0, 2 * number() - 1});
    if (has_uvs) mesh.uvs.push_back({0, number()});
    if (has_second) mesh.second_uvs.push_back({number(), 0});
    if (has_colors) mesh.colors.push_back({7, 7, 7, uint16_t(8 + random() % 2)});
    if (has_influences) {
      mesh.influences.push_back({uint32_t(random() % 2), 1});
      if (random() % 8 == 0) mesh.influences.push_back({2, 1});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
    for (MorphTarget& target : mesh.targets) {
      if (random() % 4 != 0) continue;
      target.vertices.push_back(v), target.positions.push_back({0, 0, 1 + number()});
    }
    if (random() % 8 != 0) mesh.indices.push_back(v);  // some are of no triangle
  }
  mesh.indices.resize(mesh.indices.size() / 3 * 3);
  return mesh;
}

/// All that a vertex has, as numbers.
std::vector<float> all_of(const SceneMesh& mesh, uint32_t v) {
  std::vector<float> all = {mesh.positions[v].x};
  if (!mesh.normals.empty()) all.push_back(mesh.normals[v].y);
  if (!mesh.tangents.empty()) all.push_back(mesh.tangents[v].w);
  if (!mesh.uvs.empty()) all.push_back(mesh.uvs[v].y);
  if (!mesh.second_uvs.empty()) all.push_back(mesh.second_uvs[v].x);
  if (!mesh.colors.empty()) all.push_back(float(mesh.colors[v].a));
  for (size_t i = mesh.first_influence.empty() ? 1 : mesh.first_influence[v];
       !mesh.first_influence.empty() && i < mesh.first_influence[v + 1]; ++i)
    all.push_back(float(mesh.influences[i].joint));
  for (const MorphTarget& target : mesh.targets) {
    const auto moved = std::ranges::lower_bound(target.vertices, v);
    const bool moves = moved != target.vertices.end() && *moved == v;
    all.push_back(moves ? target.positions[size_t(moved - target.vertices.begin())].z : 0);
  }
  return all;
}

TEST(Weld, CornersKeepAllTheyHaveAndNoTwoVerticesAreEqual) {
  std::mt19937 random(1);
  for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    SceneMesh mesh = random_soup(random);
    std::vector<std::vector<float>> corners;
    for (const uint32_t v : mesh.indices) corners.push_back(all_of(mesh, v));
    internal::weld(mesh);
    ASSERT_EQ(mesh.indices.size(), corners.size());
    std::map<std::vector<float>, uint32_t> vertices;
    for (size_t i = 0; i < corners.size(); ++i) {
      EXPECT_EQ(all_of(mesh, mesh.indices[i]), corners[i]);
      EXPECT_EQ(vertices.try_emplace(corners[i], mesh.indices[i]).first->second, mesh.indices[i]);
    }
    EXPECT_EQ(mesh.positions.size(), vertices.size());
  }
}

/// The first part turns no normals and no tangents, the second does: each of its differences stays with its vertex.
TEST(MorphImport, PartsWithoutNormalDifferencesArePaddedBeforeThoseWithThem) {
  SceneMesh plain, turned;
  plain.positions.resize(2), plain.normals.resize(2, {0, 0, 1});
  turned.positions.resize(1), turned.normals.resize(1, {0, 0, 1});
  plain.targets = {{"smile", 0, {0, 1}, {{1, 0, 0}, {2, 0, 0}}, {}, {}}};
  turned.targets = {{"smile", 0, {0}, {{3, 0, 0}}, {{0, 5, 0}}, {{0, 0, 7}}}};
  Mesh mesh;
  TargetBuilder builder;
  builder.append({}, plain, 0, plain.normals, mesh);
  builder.append({}, turned, 2, turned.normals, mesh);
  builder.append({}, plain, 3, plain.normals, mesh);
  ASSERT_EQ(mesh.target_count(), 1u);
  const MorphTarget& target = mesh.targets[0];
  EXPECT_THAT(target.vertices, ElementsAre(0, 1, 2, 3, 4));
  ASSERT_EQ(target.normals.size(), 5u);
  ASSERT_EQ(target.tangents.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(target.normals[i].y, i == 2 ? 5 : 0) << i;
    EXPECT_EQ(target.tangents[i].z, i == 2 ? 7 : 0) << i;
  }
}

}  // namespace
}  // namespace sinew::test
