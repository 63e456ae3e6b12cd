// Levels of a mesh: vertices of the mesh with all that they have, closed where it is, and as far from it as they say.
#include "sinew/import/lod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "animation/rig.h"
#include "brute_force.h"
#include "message.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {
namespace {

constexpr float kRadius = 1, kThickness = 0.4f;

struct TorusPoint {
  Vec3 position, normal, east;
};

TorusPoint torus_at(float around, float across) {
  const Vec3 out{std::cos(around), 0, std::sin(around)};
  const Vec3 normal = out * std::cos(across) + Vec3{0, std::sin(across), 0};
  return {out * kRadius + normal * kThickness, normal, {-std::sin(around), 0, std::cos(around)}};
}

/// A torus of `rings` by `rings` quads in two parts, closed. Each half follows a joint of its own; the other attributes
/// of vertices are different everywhere.
Mesh torus(uint32_t rings, LevelDraw& draw) {
  Mesh mesh;
  mesh.first_influence = {0};
  MorphTarget& target = mesh.targets.emplace_back();
  target.name = "random";
  for (uint32_t half = 0; half < 2; ++half) {
    MeshPart part{half == 0 ? "one" : "other",
                  PartKind::kSkinned,
                  half,
                  mesh.vertex_count(),
                  0,
                  uint32_t(mesh.indices.size()),
                  0};
    for (uint32_t ring = 0; ring <= rings / 2; ++ring) {
      for (uint32_t column = 0; column < rings; ++column) {
        const float turn = 2 * std::numbers::pi_v<float> / float(rings);
        const TorusPoint at = torus_at(float((ring + half * rings / 2) % rings) * turn, float(column) * turn);
        const uint32_t first = part.first_vertex + ring * rings, next = (column + 1) % rings;
        if (ring < rings / 2)
          mesh.indices.insert(mesh.indices.end(), {first + column, first + next, first + rings + next, first + column,
                                                   first + rings + next, first + rings + column});
        if (draw.below(2) == 0) {
          target.vertices.push_back(mesh.vertex_count());
          target.positions.push_back(draw.vector(0.1f));
        }
        mesh.positions.push_back(at.position);
        mesh.normals.push_back(at.normal);
        mesh.tangents.push_back({at.east.x, at.east.y, at.east.z, 1});
        mesh.uvs.push_back({draw.between(0, 1), draw.between(0, 1)});
        mesh.second_uvs.push_back({draw.between(0, 1), draw.between(0, 1)});
        mesh.colors.push_back({uint16_t(draw.below(65536)), uint16_t(draw.below(65536)), 7, 65535});
        mesh.influences.push_back({uint16_t(half), 1});
        mesh.first_influence.push_back(mesh.vertex_count());
      }
    }
    part.vertex_count = mesh.vertex_count() - part.first_vertex;
    part.index_count = uint32_t(mesh.indices.size()) - part.first_index;
    mesh.parts.push_back(part);
  }
  return mesh;
}

/// The same surface, flat-shaded: each triangle has its own three vertices, and one handedness.
Mesh faceted(const Mesh& mesh) {
  Mesh result;
  result.first_influence = {0};
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    const auto corner = [&](size_t c) { return mesh.positions[mesh.indices[i / 3 * 3 + c]]; };
    const Vec3 middle = (corner(0) + corner(1) + corner(2)) * (1 / 3.0f);
    const Vec3 normal = normalize(cross(corner(1) - corner(0), corner(2) - corner(0)));
    const Vec3 east = normalize(Vec3{-middle.z, 0, middle.x}), t = normalize(east - normal * dot(east, normal));
    result.positions.push_back(mesh.positions[mesh.indices[i]]);
    result.normals.push_back(normal);
    result.tangents.push_back({t.x, t.y, t.z, middle.x < 0 ? -1.0f : 1.0f});
    result.uvs.push_back({});
    result.influences.push_back({0, 1});
    result.indices.push_back(uint32_t(i));
    result.first_influence.push_back(uint32_t(i + 1));
  }
  for (MeshPart part : mesh.parts) {
    part.first_vertex = part.first_index, part.vertex_count = part.index_count;
    result.parts.push_back(part);
  }
  return result;
}

std::array<float, 3> key_of(Vec3 p) { return {p.x, p.y, p.z}; }

/// The number of edges between two positions that no triangle has in the opposite direction.
size_t open_edges(std::span<const Vec3> positions, std::span<const uint32_t> indices) {
  std::map<std::pair<std::array<float, 3>, std::array<float, 3>>, int> edges;
  for (size_t i = 0; i < indices.size(); ++i) {
    const size_t next = i % 3 == 2 ? i - 2 : i + 1;
    const auto a = key_of(positions[indices[i]]), b = key_of(positions[indices[next]]);
    ++edges[{a, b}], --edges[{b, a}];
  }
  return size_t(std::ranges::count_if(edges, [](const auto& edge) { return edge.second != 0; }));
}

std::vector<ModelLevel> levels_of(const Mesh& mesh, const LodOptions& options = {},
                                  std::span<const Vec3> positions = {}) {
  return must(make_levels(mesh, positions, options));
}

/// All that a vertex has, as numbers.
std::vector<float> attributes_of(const Mesh& mesh, uint32_t v) {
  const Vec3 n = mesh.normals[v];
  const Vec4 t = mesh.tangents[v];
  const VertexColor color = mesh.colors[v];
  std::vector<float> all = {n.x,
                            n.y,
                            n.z,
                            t.x,
                            t.y,
                            t.z,
                            t.w,
                            mesh.uvs[v].x,
                            mesh.uvs[v].y,
                            mesh.second_uvs[v].x,
                            mesh.second_uvs[v].y,
                            float(color.r),
                            float(color.g),
                            float(color.b),
                            float(color.a)};
  for (const Influence influence : mesh.influences_of(v))
    all.insert(all.end(), {float(influence.entry), influence.weight});
  const MorphTarget& target = mesh.targets.at(0);
  const auto moved = std::ranges::lower_bound(target.vertices, v);
  if (moved == target.vertices.end() || *moved != v) return all;
  const Vec3 difference = target.positions[size_t(moved - target.vertices.begin())];
  all.insert(all.end(), {difference.x, difference.y, difference.z});
  return all;
}

/// Of each vertex of a level the vertex of the mesh that it is; expects it to have the same attributes.
std::vector<uint32_t> expect_vertices_of(const Mesh& mesh, const Mesh& level) {
  std::vector<uint32_t> found;
  for (size_t part = 0; part < mesh.parts.size(); ++part) {
    std::map<std::array<float, 3>, uint32_t> at;
    const auto end_of = [&](const MeshPart& own) { return own.first_vertex + own.vertex_count; };
    for (uint32_t v = mesh.parts[part].first_vertex; v < end_of(mesh.parts[part]); ++v)
      at[key_of(mesh.positions[v])] = v;
    for (uint32_t v = level.parts[part].first_vertex; v < end_of(level.parts[part]); ++v) {
      const auto same = at.find(key_of(level.positions[v]));
      if (same == at.end()) return ADD_FAILURE() << "vertex " << v << " is none of the mesh", found;
      EXPECT_EQ(attributes_of(level, v), attributes_of(mesh, same->second)) << v;
      found.push_back(same->second);
    }
    EXPECT_EQ(level.parts[part].name, mesh.parts[part].name);
    EXPECT_EQ(level.parts[part].material, mesh.parts[part].material);
    EXPECT_GT(level.parts[part].index_count, 0u);
  }
  return found;
}

/// In other positions than those of the mesh, if any are given.
void expect_level(const Mesh& mesh, std::span<const Vec3> positions, const ModelLevel& level) {
  ASSERT_TRUE(validate(level.mesh, 2));
  ASSERT_EQ(level.mesh.parts.size(), 2u);
  const std::vector<uint32_t> vertices = expect_vertices_of(mesh, level.mesh);
  ASSERT_EQ(vertices.size(), level.mesh.vertex_count());
  std::vector<uint32_t> indices;
  for (const uint32_t index : level.mesh.indices) indices.push_back(vertices[index]);
  EXPECT_EQ(open_edges(positions, indices), 0u);
  double farthest = 0;
  for (const Vec3 p : positions) farthest = std::max(farthest, distance_to(p, {positions, indices}));
  EXPECT_NEAR(double(level.error), farthest, 1e-5);
  Mesh ordered = level.mesh;
  EXPECT_TRUE(order_by_influences(ordered));
  EXPECT_EQ(ordered.indices, level.mesh.indices);
}

/// With odd seeds the mesh is flat, and a torus only in the positions that are given.
TEST(Levels, AreVerticesOfTheMeshAndAsFarFromItAsTheySay) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LevelDraw draw(seed);
    Mesh mesh = torus(24 + 2 * draw.below(8), draw);
    const std::vector<Vec3> positions = mesh.positions;
    for (Vec3& p : mesh.positions) p.y *= seed % 2 == 0 ? 1 : 1e-3f;
    const std::span<const Vec3> given = seed % 2 == 0 ? std::span<const Vec3>() : positions;
    const std::vector<ModelLevel> levels = levels_of(mesh, {}, given), again = levels_of(mesh, {}, given);
    ASSERT_EQ(levels.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      expect_level(mesh, positions, levels[i]);
      const double share = double(levels[i].mesh.indices.size()) / double(mesh.indices.size());
      EXPECT_NEAR(share, std::pow(0.5, double(i + 1)), 0.01);
      EXPECT_GT(levels[i].error, i == 0 ? 0 : levels[i - 1].error);
      EXPECT_LT(levels[i].error, 0.2f) << "of a thickness of 0.4";
      EXPECT_EQ(levels[i].mesh.indices, again[i].mesh.indices);
      EXPECT_EQ(levels[i].error, again[i].error);
    }
  }
}

/// Normals and tangents become those of the smooth surface, but tangents of two kinds of handedness stay apart.
TEST(Levels, OfFlatShadedMeshesAreSmoothed) {
  LevelDraw draw(1);
  const Mesh mesh = faceted(torus(32, draw));
  const std::vector<ModelLevel> levels = levels_of(mesh, {{0.5f, 0.25f}, 0.05f});
  ASSERT_EQ(levels.size(), 2u);
  for (const ModelLevel& made : levels) {
    const Mesh& level = made.mesh;
    ASSERT_TRUE(validate(level, 2));
    EXPECT_EQ(open_edges(level.positions, level.indices), 0u);
    EXPECT_LT(level.vertex_count(), level.indices.size() / 3);
    std::map<std::array<float, 3>, std::set<float>> handedness_at;
    for (uint32_t v = 0; v < level.vertex_count(); ++v) {
      const Vec3 p = level.positions[v], out = normalize(Vec3{p.x, 0, p.z}), n = level.normals[v];
      const Vec4 tangent = level.tangents[v];
      const Vec3 t{tangent.x, tangent.y, tangent.z};
      handedness_at[key_of(p)].insert(tangent.w);
      EXPECT_GT(dot(n, (p - out * kRadius) * (1 / kThickness)), 0.97f);
      EXPECT_NEAR(dot(t, n), 0, 1e-5f);
      if (std::abs(p.x) > 0.3f) {
        EXPECT_GT(dot(t, Vec3{-out.z, 0, out.x}), 0.995f) << "not smoothed: vertex " << v;
      }
    }
    EXPECT_GT(std::ranges::count_if(handedness_at, [](const auto& at) { return at.second.size() == 2; }), 5)
        << "two vertices where the handedness changes";
  }
}

TEST(Levels, AreFewerWhereTheMeshGetsNoSimpler) {
  Mesh triangle;
  triangle.first_influence = {0};
  EXPECT_TRUE(levels_of(triangle).empty()) << "no triangles";
  triangle = test::triangle(1);
  EXPECT_TRUE(levels_of(triangle).empty());
  triangle.positions.assign(3, {0, 0, 0});
  EXPECT_TRUE(levels_of(triangle).empty());
  LevelDraw draw(1);
  const std::vector<ModelLevel> careful = levels_of(torus(24, draw), {{0.5f, 0.25f, 0.01f, 0.001f}, 0.02f});
  EXPECT_GE(careful.size(), 1u);
  EXPECT_LT(careful.size(), 4u);
}

TEST(Levels, OfInvalidInputAreRefused) {
  LevelDraw draw(1);
  const Mesh mesh = torus(8, draw);
  const auto refusal = [](const Mesh& of, std::span<const Vec3> positions, const LodOptions& options) {
    return message_of(make_levels(of, positions, options));
  };
  const std::string shares = "levels of detail: shares of triangles must lie between 0 and 1 and descend";
  for (const std::vector<float>& bad : {std::vector<float>{1}, {0.5f, 0.5f}, {0.5f, 0}, {NAN}, {0.2f, 0.3f}})
    EXPECT_EQ(refusal(mesh, {}, {bad, 0.05f}), shares);
  EXPECT_EQ(refusal(mesh, {}, {{0.5f}, NAN}), "levels of detail: the largest error must be positive");
  std::vector<Vec3> positions(3);
  EXPECT_EQ(refusal(mesh, positions, {}),
            "levels of detail: 3 positions for " + std::to_string(mesh.vertex_count()) + " vertices");
  positions.assign(mesh.vertex_count(), {0, NAN, 0});
  EXPECT_EQ(refusal(mesh, positions, {}), "levels of detail: a position is not finite");
  positions.assign(mesh.vertex_count(), {0, 3e38f, 0});
  positions[0].y = -3e38f;
  EXPECT_EQ(refusal(mesh, positions, {}), "levels of detail: positions lie farther apart than floats hold");
  Mesh broken = mesh;
  broken.indices[0] = 1 << 20;
  EXPECT_NE(refusal(broken, {}, {}).find("is not its own"), std::string::npos);
}

}  // namespace
}  // namespace sinew::test
