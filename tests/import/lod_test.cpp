#include "sinew/import/lod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "posing.h"
#include "sinew/asset/mesh.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

/// A unit sphere of `rings` by 2 * `rings` quads. The upper and the lower half are separate parts.
Mesh sphere(uint32_t rings) {
  Mesh mesh;
  const uint32_t columns = 2 * rings;
  mesh.first_influence = {0};
  for (uint32_t half = 0; half < 2; ++half) {
    MeshPart part{half == 0 ? "upper" : "lower",
                  PartKind::kSkinned,
                  half,
                  mesh.vertex_count(),
                  0,
                  uint32_t(mesh.indices.size()),
                  0};
    for (uint32_t ring = half * rings / 2; ring <= (half + 1) * rings / 2; ++ring) {
      for (uint32_t column = 0; column < columns; ++column) {
        const double up = std::numbers::pi * ring / rings, around = 2 * std::numbers::pi * column / columns;
        const bool pole = ring == 0 || ring == rings;
        const Vec3 p = pole ? Vec3{0, ring == 0 ? 1.0f : -1.0f, 0}
                            : Vec3{float(std::sin(up) * std::cos(around)), float(std::cos(up)),
                                   float(std::sin(up) * std::sin(around))};
        mesh.positions.push_back(p);
        mesh.normals.push_back(normalize(p));
        mesh.uvs.push_back({});
        mesh.influences.push_back({uint16_t(half), 1});
        mesh.first_influence.push_back(mesh.vertex_count());
        if (pole) break;
      }
    }
    const auto at = [&](uint32_t ring, uint32_t column) {
      const uint32_t first = half * rings / 2;
      if (ring == 0) return part.first_vertex;
      if (ring == rings) return mesh.vertex_count() - 1;
      const uint32_t before = first == 0 ? 1 + (ring - 1) * columns : (ring - first) * columns;
      return part.first_vertex + before + column % columns;
    };
    for (uint32_t ring = half * rings / 2; ring < (half + 1) * rings / 2; ++ring) {
      for (uint32_t column = 0; column < columns; ++column) {
        const uint32_t a = at(ring, column), b = at(ring, column + 1), c = at(ring + 1, column),
                       d = at(ring + 1, column + 1);
        if (ring != 0) mesh.indices.insert(mesh.indices.end(), {a, b, d});
        if (ring + 1 != rings) mesh.indices.insert(mesh.indices.end(), {a, d, c});
      }
    }
    part.vertex_count = mesh.vertex_count() - part.first_vertex;
    part.index_count = uint32_t(mesh.indices.size()) - part.first_index;
    mesh.parts.push_back(part);
  }
  return mesh;
}

/// The same surface, flat-shaded: each triangle has its own three vertices.
Mesh faceted(const Mesh& mesh) {
  Mesh result;
  result.first_influence = {0};
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    const auto corner = [&](size_t c) { return mesh.positions[mesh.indices[i / 3 * 3 + c]]; };
    result.positions.push_back(mesh.positions[mesh.indices[i]]);
    result.normals.push_back(normalize(cross(corner(1) - corner(0), corner(2) - corner(0))));
    result.uvs.push_back(mesh.uvs[mesh.indices[i]]);
    result.influences.push_back(mesh.influences[mesh.indices[i]]);
    result.indices.push_back(uint32_t(i));
    result.first_influence.push_back(uint32_t(i + 1));
  }
  for (MeshPart part : mesh.parts) {
    part.first_vertex = part.first_index, part.vertex_count = part.index_count;
    result.parts.push_back(part);
  }
  return result;
}

size_t triangles_of(const Mesh& mesh) { return mesh.indices.size() / 3; }

std::array<float, 3> key_of(Vec3 p) { return {p.x, p.y, p.z}; }

/// The number of edges between two positions that no triangle has in the opposite direction.
size_t open_edges(const Mesh& mesh) {
  std::map<std::pair<std::array<float, 3>, std::array<float, 3>>, int> edges;
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    const size_t next = i % 3 == 2 ? i - 2 : i + 1;
    const auto a = key_of(mesh.positions[mesh.indices[i]]), b = key_of(mesh.positions[mesh.indices[next]]);
    ++edges[{a, b}], --edges[{b, a}];
  }
  return size_t(std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second != 0; }));
}

double segment_distance(Vec3 p, Vec3 a, Vec3 b) {
  const float size = dot(b - a, b - a), share = size > 0 ? std::clamp(dot(p - a, b - a) / size, 0.0f, 1.0f) : 0;
  return double(length(p - a - (b - a) * share));
}

/// The distance to the nearest of 25 lines across the triangle.
double triangle_distance(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  double nearest = INFINITY;
  constexpr int kSteps = 24;
  for (int i = 0; i <= kSteps; ++i) {
    const float share = float(i) / kSteps;
    nearest = std::min(nearest, segment_distance(p, a + (b - a) * share, a + (c - a) * share));
  }
  return nearest;
}

double farthest_vertex(const Mesh& fine, const Mesh& coarse) {
  double farthest = 0;
  for (const Vec3 p : fine.positions) {
    double nearest = INFINITY;
    for (size_t i = 0; i < coarse.indices.size(); i += 3) {
      const auto at = [&](size_t corner) { return coarse.positions[coarse.indices[i + corner]]; };
      nearest = std::min(nearest, triangle_distance(p, at(0), at(1), at(2)));
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

std::vector<ModelLevel> levels_of(const Mesh& mesh, const LodOptions& options = {}) {
  Result<std::vector<ModelLevel>> levels = make_levels(mesh, {}, options);
  EXPECT_TRUE(levels) << levels.error().message;
  return levels ? std::move(*levels) : std::vector<ModelLevel>();
}

std::string message_of(const Mesh& mesh, std::span<const Vec3> positions, const LodOptions& options) {
  const Result<std::vector<ModelLevel>> levels = make_levels(mesh, positions, options);
  EXPECT_FALSE(levels);
  return levels ? "" : levels.error().message;
}

TEST(Levels, HaveTheRequestedShareOfTriangles) {
  const Mesh mesh = sphere(40);
  const std::vector<ModelLevel> levels = levels_of(mesh);
  ASSERT_EQ(levels.size(), 4u);
  const double all = double(triangles_of(mesh));
  float error = 0;
  for (size_t i = 0; i < 4; ++i) {
    const Mesh& level = levels[i].mesh;
    EXPECT_TRUE(validate(level, 2));
    EXPECT_NEAR(double(triangles_of(level)) / all, std::pow(0.5, double(i + 1)), 0.005);
    EXPECT_LT(level.vertex_count(), triangles_of(level));
    EXPECT_GT(levels[i].error, error);
    error = levels[i].error;
  }
  EXPECT_LT(error, 0.1f);  // 3 % of the diagonal
}

TEST(Levels, HaveAnErrorThatMatchesTheMeasuredDistance) {
  const Mesh mesh = sphere(16);
  for (const ModelLevel& level : levels_of(mesh)) {
    EXPECT_NEAR(double(level.error), farthest_vertex(mesh, level.mesh), 0.1 * double(level.error) + 1e-6);
  }
}

TEST(Levels, StayClosedWherePartsMeet) {
  const Mesh mesh = sphere(24);
  ASSERT_EQ(open_edges(mesh), 0u);
  for (const ModelLevel& level : levels_of(mesh)) {
    EXPECT_EQ(open_edges(level.mesh), 0u);
    ASSERT_EQ(level.mesh.parts.size(), 2u);
    for (uint32_t half = 0; half < 2; ++half) {
      const MeshPart& part = level.mesh.parts[half];
      EXPECT_EQ(part.name, mesh.parts[half].name);
      EXPECT_EQ(part.material, half);
      EXPECT_GT(part.index_count, 0u);
      for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
        ASSERT_EQ(level.mesh.influences_of(v)[0].entry, half) << "each half follows its own joint";
      }
    }
  }
}

TEST(Levels, OfFlatShadedMeshesAreSmoothed) {
  Mesh mesh = faceted(sphere(12));
  mesh.influences.assign(mesh.influences.size(), {0, 1});
  const std::vector<ModelLevel> levels = levels_of(mesh, {{0.5f, 0.25f}, 0.05f});
  ASSERT_EQ(levels.size(), 2u);
  for (const ModelLevel& level : levels) {
    EXPECT_EQ(open_edges(level.mesh), 0u);
    for (const MeshPart& part : level.mesh.parts) EXPECT_GT(part.index_count, 0u);
    EXPECT_TRUE(validate(level.mesh, 2));
    EXPECT_LT(level.mesh.vertex_count(), triangles_of(level.mesh));
    for (uint32_t v = 0; v < level.mesh.vertex_count(); ++v) {
      EXPECT_GT(dot(level.mesh.normals[v], level.mesh.positions[v]), 0.99f) << "a sphere's normals point outward";
    }
  }
}

/// Tangents of a sphere that point east. The handedness is -1 where x is negative, otherwise 1.
void add_tangents(Mesh& mesh) {
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 n = mesh.normals[v], east = normalize(cross(Vec3{0, 1, 0}, n), {1, 0, 0});
    mesh.tangents.push_back({east.x, east.y, east.z, mesh.positions[v].x < 0 ? -1.0f : 1.0f});
  }
}

TEST(Levels, TangentsFollowTheirVertices) {
  Mesh mesh = sphere(24);
  add_tangents(mesh);
  for (const ModelLevel& level : levels_of(mesh)) {
    ASSERT_EQ(level.mesh.tangents.size(), level.mesh.positions.size());
    for (uint32_t v = 0; v < level.mesh.vertex_count(); ++v) {
      const Vec3 east = normalize(cross(Vec3{0, 1, 0}, level.mesh.positions[v]), {1, 0, 0});
      EXPECT_GT(dot(east, {level.mesh.tangents[v].x, level.mesh.tangents[v].y, level.mesh.tangents[v].z}), 0.99999f);
    }
  }
}

TEST(Levels, TangentsAreSmoothedButNotAcrossHandedness) {
  Mesh mesh = faceted(sphere(24));
  for (size_t v = 0; v < mesh.positions.size(); v += 3) {
    // One direction and one handedness for each triangle, as in unwrapped textures.
    const Vec3 n = mesh.normals[v], east = normalize(cross(Vec3{0, 1, 0}, n));
    const float handedness = mesh.positions[v].x + mesh.positions[v + 1].x + mesh.positions[v + 2].x < 0 ? -1.0f : 1.0f;
    mesh.tangents.insert(mesh.tangents.end(), 3, {east.x, east.y, east.z, handedness});
  }
  const std::vector<ModelLevel> levels = levels_of(mesh);
  ASSERT_FALSE(levels.empty());
  std::map<std::array<float, 3>, std::set<float>> handedness_at;
  for (uint32_t v = 0; v < levels[0].mesh.vertex_count(); ++v) {
    const Vec4 tangent = levels[0].mesh.tangents[v];
    const Vec3 p = levels[0].mesh.positions[v], t{tangent.x, tangent.y, tangent.z};
    EXPECT_NEAR(dot(t, levels[0].mesh.normals[v]), 0, 1e-5f);
    handedness_at[key_of(p)].insert(tangent.w);
    if (std::abs(p.y) < 0.9f && std::abs(p.x) > 0.2f) {
      EXPECT_GT(dot(t, normalize(cross(Vec3{0, 1, 0}, p))), 0.999f) << "not smoothed: vertex " << v;
    }
  }
  EXPECT_GT(std::ranges::count_if(handedness_at, [](const auto& at) { return at.second.size() == 2; }), 5)
      << "two vertices where the handedness changes";
  EXPECT_TRUE(validate(levels[0].mesh, 2));
}

TEST(Levels, AreSimplifiedByTheGivenPositions) {
  Mesh strip;
  strip.first_influence = {0};
  constexpr uint32_t kLength = 40;
  std::vector<Vec3> bent;
  for (uint32_t i = 0; i <= kLength; ++i) {
    for (uint32_t side = 0; side < 2; ++side) {
      const float along = float(i) - kLength / 2.0f;
      strip.positions.push_back({along, float(side), 0});
      bent.push_back({along, float(side), std::max(along, 0.0f)});
      strip.normals.push_back({0, 0, 1});
      strip.uvs.push_back({});
      strip.influences.push_back({uint16_t(along > 0), 1});
      strip.first_influence.push_back(strip.vertex_count());
    }
    if (i == 0) continue;
    const uint32_t a = 2 * i - 2;
    strip.indices.insert(strip.indices.end(), {a, a + 2, a + 1, a + 1, a + 2, a + 3});
  }
  strip.parts = {{"strip", PartKind::kSkinned, 0, 0, strip.vertex_count(), 0, uint32_t(strip.indices.size())}};
  const LodOptions coarse{{0.06f}, 0.05f};
  const auto has_crease = [](const std::vector<ModelLevel>& levels) {
    const auto& p = levels.at(0).mesh.positions;
    return std::count_if(p.begin(), p.end(), [](Vec3 v) { return v.x == 0; }) == 2;
  };
  const Result<std::vector<ModelLevel>> straight_levels = make_levels(strip, {}, coarse);
  const Result<std::vector<ModelLevel>> bent_levels = make_levels(strip, bent, coarse);
  ASSERT_TRUE(straight_levels && bent_levels);
  ASSERT_TRUE(straight_levels->size() == 1 && bent_levels->size() == 1);
  EXPECT_FALSE(has_crease(*straight_levels));
  EXPECT_TRUE(has_crease(*bent_levels));
  EXPECT_LT(bent_levels->at(0).error, 1e-4f);
}

TEST(Levels, HaveOnlyVerticesOfTheBuiltInCharacter) {
  const Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character) << character.error().message;
  const Mesh& mesh = character->mesh;
  const test::Posed rest = test::pose(*character);
  const Result<std::vector<ModelLevel>> levels = make_levels(mesh, rest.positions);
  ASSERT_TRUE(levels) << levels.error().message;
  ASSERT_EQ(levels->size(), 4u);
  std::map<std::array<float, 3>, std::vector<uint32_t>> at;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) at[key_of(mesh.positions[v])].push_back(v);
  for (const ModelLevel& level : *levels) {
    EXPECT_TRUE(validate(level.mesh, character->skin.palette_size()));
    EXPECT_LT(level.error, 0.04f * length(size_of(bounding_box(rest.positions))));
    for (uint32_t v = 0; v < level.mesh.vertex_count(); ++v) {
      const auto own = level.mesh.influences_of(v);
      const bool known = std::ranges::any_of(at[key_of(level.mesh.positions[v])], [&](uint32_t old) {
        const auto other = mesh.influences_of(old);
        return level.mesh.uvs[v].x == mesh.uvs[old].x && level.mesh.uvs[v].y == mesh.uvs[old].y &&
               std::ranges::equal(own, other, [](const Influence& a, const Influence& b) {
                 return a.entry == b.entry && a.weight == b.weight;
               });
      });
      ASSERT_TRUE(known) << "vertex " << v;
    }
  }
}

TEST(Levels, AreOrderedByInfluences) {
  const Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character) << character.error().message;
  for (const ModelLevel& level : levels_of(character->mesh)) {
    Mesh ordered = level.mesh;
    EXPECT_TRUE(order_by_influences(ordered));
    EXPECT_EQ(ordered.indices, level.mesh.indices);
  }
}

TEST(Levels, AreDeterministic) {
  const Mesh mesh = sphere(20);
  const std::vector<ModelLevel> once = levels_of(mesh), twice = levels_of(mesh);
  ASSERT_EQ(once.size(), twice.size());
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].mesh.indices, twice[i].mesh.indices);
    EXPECT_EQ(once[i].error, twice[i].error);
    EXPECT_TRUE(std::ranges::equal(once[i].mesh.positions, twice[i].mesh.positions,
                                   [](Vec3 a, Vec3 b) { return key_of(a) == key_of(b); }));
  }
}

TEST(Levels, AreFewerWhereTheMeshGetsNoSimpler) {
  Mesh triangle;
  triangle.first_influence = {0};
  EXPECT_TRUE(levels_of(triangle).empty()) << "no triangles";
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  triangle.uvs.resize(3);
  triangle.indices = {0, 1, 2};
  triangle.first_influence = {0, 1, 2, 3};
  triangle.influences = {{0, 1}, {0, 1}, {0, 1}};
  triangle.parts = {{"triangle", PartKind::kRigid, 0, 0, 3, 0, 3}};
  EXPECT_TRUE(levels_of(triangle).empty());
  triangle.positions.assign(3, {0, 0, 0});
  EXPECT_TRUE(levels_of(triangle).empty());
  const std::vector<ModelLevel> careful = levels_of(sphere(12), {{0.5f, 0.25f, 0.01f, 0.001f}, 0.02f});
  EXPECT_GE(careful.size(), 1u);
  EXPECT_LT(careful.size(), 4u);
}

TEST(Levels, OfInvalidInputAreRefused) {
  const Mesh mesh = sphere(4);
  const std::string shares = "levels of detail: shares of triangles must lie between 0 and 1 and descend";
  for (const std::vector<float>& bad : {std::vector<float>{1}, {0.5f, 0.5f}, {0.5f, 0}, {NAN}, {0.2f, 0.3f}}) {
    EXPECT_EQ(message_of(mesh, {}, {bad, 0.05f}), shares);
  }
  EXPECT_EQ(message_of(mesh, {}, {{0.5f}, NAN}), "levels of detail: the largest error must be positive");
  std::vector<Vec3> positions(3);
  EXPECT_EQ(message_of(mesh, positions, {}),
            "levels of detail: 3 positions for " + std::to_string(mesh.vertex_count()) + " vertices");
  positions.assign(mesh.vertex_count(), {0, NAN, 0});
  EXPECT_EQ(message_of(mesh, positions, {}), "levels of detail: a position is not finite");
  positions.assign(mesh.vertex_count(), {0, 3e38f, 0});
  positions[0].y = -3e38f;
  EXPECT_EQ(message_of(mesh, positions, {}), "levels of detail: positions lie farther apart than floats hold");
  Mesh broken = mesh;
  broken.indices[0] = 1 << 20;
  EXPECT_NE(message_of(broken, {}, {}).find("is not its own"), std::string::npos);
}

/// A coarser level's vertices move as the same vertices of the mesh do.
TEST(Levels, KeepMorphTargets) {
  Mesh mesh = sphere(24);
  MorphTarget& target = mesh.targets.emplace_back();
  target.name = "lift";
  for (uint32_t v = 0; v < mesh.vertex_count(); v += 2) {
    target.vertices.push_back(v);
    target.positions.push_back({0, mesh.positions[v].x, 0});
  }
  const auto levels = make_levels(mesh);
  ASSERT_TRUE(levels) << levels.error().message;
  ASSERT_FALSE(levels->empty());
  for (const ModelLevel& level : *levels) {
    ASSERT_TRUE(validate(level.mesh, 65535));
    ASSERT_EQ(level.mesh.target_count(), 1u);
    const MorphTarget& kept = level.mesh.targets[0];
    EXPECT_FALSE(kept.vertices.empty());
    EXPECT_LT(kept.vertices.size(), target.vertices.size());
    for (size_t i = 0; i < kept.vertices.size(); ++i) {
      EXPECT_EQ(kept.positions[i].y, level.mesh.positions[kept.vertices[i]].x) << i;
    }
  }
}

}  // namespace
}  // namespace sinew
