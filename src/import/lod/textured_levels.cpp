#include "lod/textured_levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "asset/morph.h"
#include "lod/edge_collapse.h"
#include "lod/surface_distance.h"
#include "morph_targets.h"
#include "surface.h"

namespace sinew::internal {
namespace {

/// One number per vertex, equal for vertices with equal parts, influences and differences in morph targets.
std::vector<uint32_t> skinning_classes(const Mesh& mesh) {
  const std::vector<uint32_t> differences = difference_classes(mesh.targets, mesh.vertex_count());
  std::map<std::vector<std::pair<uint32_t, float>>, uint32_t> known;
  std::vector<uint32_t> classes;
  for (uint32_t part = 0; part < mesh.parts.size(); ++part) {
    const uint32_t first = mesh.parts[part].first_vertex;
    for (uint32_t v = first; v < first + mesh.parts[part].vertex_count; ++v) {
      std::vector<std::pair<uint32_t, float>> key = {{part, 0.0f}};
      if (!differences.empty()) key.push_back({differences[v], -1.0f});
      for (const Influence influence : mesh.influences_of(v)) key.push_back({influence.entry, influence.weight});
      classes.push_back(known.try_emplace(std::move(key), uint32_t(known.size())).first->second);
    }
  }
  return classes;
}

/// Writes the smoothed tangents: the sums of the merged vertices' tangents, orthogonal to the smoothed normals.
void smooth_tangents(const Mesh& mesh, Mesh& result) {
  if (mesh.tangents.empty()) return;
  std::vector<Vec3> sums(mesh.positions.size());
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    const Vec4 tangent = mesh.tangents[mesh.indices[i]];
    Vec3& sum = sums[result.indices[i]];
    sum = sum + Vec3{tangent.x, tangent.y, tangent.z};
  }
  for (const uint32_t v : result.indices) {
    const Vec3 t = make_orthogonal(result.normals[v], sums[v]);
    result.tangents[v] = {t.x, t.y, t.z, mesh.tangents[v].w};
  }
}

/// Builds the mesh of one level, part by part.
class LevelBuilder {
 public:
  explicit LevelBuilder(const Mesh& mesh) : mesh_(mesh), new_index_of_(mesh.vertex_count(), kRemovedVertex) {
    level_.first_influence = {0};
    level_.blend = mesh.blend;
  }

  /// `indices` are triangles of the mesh's vertices: the triangles of a part together, parts in the mesh's order.
  Mesh make(std::span<const uint32_t> indices) {
    size_t begin = 0;
    for (const MeshPart& part : mesh_.parts) {
      size_t end = begin;
      while (end < indices.size() && indices[end] - part.first_vertex < part.vertex_count) end += 3;
      append(part, indices.subspan(begin, end - begin));
      begin = end;
    }
    for (const MorphTarget& target : mesh_.targets) level_.targets.push_back(reindexed(target, new_index_of_));
    if (!order_by_influences(level_)) throw std::bad_alloc();
    return std::move(level_);
  }

 private:
  void append(MeshPart part, std::span<const uint32_t> indices) {
    std::vector<uint32_t> own(indices.begin(), indices.end());
    for (uint32_t& index : own) index -= part.first_vertex;
    std::vector<uint32_t> new_index(part.vertex_count);
    size_t count = 0;
    if (!own.empty()) {
      meshopt_optimizeVertexCache(own.data(), own.data(), own.size(), part.vertex_count);
      count = meshopt_optimizeVertexFetchRemap(new_index.data(), own.data(), own.size(), part.vertex_count);
    }
    std::vector<uint32_t> vertex_at(count);
    for (uint32_t v = 0; v < new_index.size() && count > 0; ++v) {
      if (new_index[v] != ~0u) vertex_at[new_index[v]] = part.first_vertex + v;
    }
    part.first_vertex = level_.vertex_count();
    part.vertex_count = uint32_t(count);
    part.first_index = uint32_t(level_.indices.size());
    part.index_count = uint32_t(own.size());
    for (const uint32_t v : vertex_at) append_vertex(v);
    for (const uint32_t index : own) level_.indices.push_back(part.first_vertex + new_index[index]);
    level_.parts.push_back(std::move(part));
  }

  void append_vertex(uint32_t v) {
    new_index_of_[v] = level_.vertex_count();
    level_.positions.push_back(mesh_.positions[v]);
    level_.normals.push_back(mesh_.normals[v]);
    if (!mesh_.tangents.empty()) level_.tangents.push_back(mesh_.tangents[v]);
    level_.uvs.push_back(mesh_.uvs[v]);
    if (!mesh_.second_uvs.empty()) level_.second_uvs.push_back(mesh_.second_uvs[v]);
    if (!mesh_.colors.empty()) level_.colors.push_back(mesh_.colors[v]);
    const auto influences = mesh_.influences_of(v);
    level_.influences.insert(level_.influences.end(), influences.begin(), influences.end());
    level_.first_influence.push_back(uint32_t(level_.influences.size()));
  }

  const Mesh& mesh_;
  std::vector<uint32_t> new_index_of_;
  Mesh level_;
};

constexpr double kPoints = 40000;  // of the finest surface

/// Of each vertex the first one that triangles with shared vertices lead to: one for each patch of the surface. Where
/// two patches meet there is a seam, of textures or of hard edges.
std::vector<uint32_t> patches_of(const Mesh& mesh) {
  std::vector<uint32_t> patch(mesh.vertex_count());
  std::iota(patch.begin(), patch.end(), 0u);
  const auto first = [&](uint32_t v) {
    while (patch[v] != v) v = patch[v] = patch[patch[v]];
    return v;
  };
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    const uint32_t a = first(mesh.indices[i / 3 * 3]), b = first(mesh.indices[i]);
    patch[std::max(a, b)] = std::min(a, b);
  }
  for (uint32_t v = 0; v < patch.size(); ++v) patch[v] = first(v);
  return patch;
}

/// The triangles of each patch.
using Patches = std::map<uint32_t, std::vector<uint32_t>>;

Patches divided(std::span<const uint32_t> indices, std::span<const uint32_t> patch_of) {
  Patches patches;
  for (const uint32_t index : indices) patches[patch_of[index]].push_back(index);
  return patches;
}

/// Vertices at one place with one normal, as on both sides of a seam of textures, get the mean of their new ones.
void join_normals(const Mesh& mesh, std::span<const uint32_t> vertices, std::vector<Vec3>& fitted) {
  using Key = std::array<float, 6>;
  std::map<Key, std::vector<uint32_t>> together;
  for (const uint32_t v : vertices) {
    const Vec3 p = mesh.positions[v], n = mesh.normals[v];
    together[{p.x, p.y, p.z, n.x, n.y, n.z}].push_back(v);
  }
  for (const auto& [key, own] : together) {
    Vec3 sum;
    for (const uint32_t v : own) sum = sum + fitted[v];
    for (const uint32_t v : own) fitted[v] = normalize(sum, mesh.normals[v]);
  }
}

class SurfaceFit {
 public:
  SurfaceFit(const Mesh& mesh, std::span<const Vec3> positions, std::span<const uint32_t> level)
      : mesh_(mesh), positions_(positions), fitted_(mesh) {
    const std::vector<uint32_t> patch_of = patches_of(mesh);
    finest_ = divided(mesh.indices, patch_of), level_ = divided(level, patch_of);
    vertices_.assign(level.begin(), level.end());
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    spread_points();
    for (const uint32_t v : vertices_) fine_points_.push_back({{v, v, v}, {1, 0, 0}});
  }

  Mesh run() {
    find_points();
    for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) fit(mesh_.normals, fitted_.normals, axis);
    for (float Vec2::*axis : {&Vec2::x, &Vec2::y}) {
      fit(mesh_.uvs, fitted_.uvs, axis);
      if (!mesh_.second_uvs.empty()) fit(mesh_.second_uvs, fitted_.second_uvs, axis);
    }
    join_normals(mesh_, vertices_, fitted_.normals);
    if (mesh_.tangents.empty()) return std::move(fitted_);
    for (const uint32_t v : vertices_) {
      const Vec3 normal = fitted_.normals[v];
      const Vec4 before = mesh_.tangents[v];
      const Vec3 tangent = make_orthogonal(normal, {before.x, before.y, before.z});
      fitted_.tangents[v] = {tangent.x, tangent.y, tangent.z, before.w};
    }
    return std::move(fitted_);
  }

 private:
  /// Equally dense. Source of the sequence: Roberts, "The Unreasonable Effectiveness of Quasirandom
  /// Sequences", 2018.
  void spread_points() {
    const auto area = [&](std::span<const uint32_t> corners) {
      const Vec3 a = positions_[corners[0]];
      return double(length(cross(positions_[corners[1]] - a, positions_[corners[2]] - a)));
    };
    double all = 0, owed = 0.5;
    for (size_t i = 0; i < mesh_.indices.size(); i += 3) all += area(std::span(mesh_.indices).subspan(i, 3));
    double u = 0, v = 0;
    for (const auto& [patch, indices] : finest_) {
      if (!level_.contains(patch)) continue;
      for (size_t i = 0; i < indices.size(); i += 3) {
        const std::span<const uint32_t> corners = std::span(indices).subspan(i, 3);
        for (owed += all > 0 ? area(corners) / all * kPoints : 0; owed >= 1; owed -= 1) {
          u = std::fmod(u + 0.7548776662466927, 1), v = std::fmod(v + 0.5698402909980532, 1);
          const float b = float(u + v > 1 ? 1 - u : u), c = float(u + v > 1 ? 1 - v : v);
          fine_points_.push_back({{corners[0], corners[1], corners[2]}, {std::max(1 - b - c, 0.0f), b, c}});
          patches_.push_back(patch);
        }
      }
    }
  }

  static Vec3 at(std::span<const Vec3> values, const PointOnMesh& point) {
    const auto [a, b, c] = point.vertices;
    return values[a] * point.shares[0] + values[b] * point.shares[1] + values[c] * point.shares[2];
  }

  /// The nearest point of the level, in the same patch. Then each vertex at itself: it holds those of small triangles,
  /// of which no other point says much.
  void find_points() {
    size_t i = 0;
    while (i < patches_.size()) {
      const std::vector<uint32_t>& indices = level_.at(patches_[i]);
      SurfaceDistance surface({positions_, indices});
      for (const uint32_t patch = patches_[i]; i < patches_.size() && patches_[i] == patch; ++i) {
        const Vec3 p = at(positions_, fine_points_[i]);
        const size_t first = size_t{surface.nearest_triangle(p)} * 3;
        const uint32_t a = indices[first], b = indices[first + 1], c = indices[first + 2];
        const Vec2 shares = nearest_shares(p, positions_[a], positions_[b], positions_[c]);
        points_.push_back({{a, b, c}, {std::max(1 - shares.x - shares.y, 0.0f), shares.x, shares.y}});
      }
    }
    for (const uint32_t v : vertices_) points_.push_back({{v, v, v}, {1, 0, 0}});
  }

  /// One component of what vertices have, in place. `values` are those of the finest surface.
  template <class Value>
  void fit(const std::vector<Value>& values, std::vector<Value>& own, float Value::*component) const {
    std::vector<float> wanted, start;
    for (const PointOnMesh& p : fine_points_) {
      wanted.push_back(0);
      for (size_t k = 0; k < 3; ++k) wanted.back() += p.shares[k] * (values[p.vertices[k]].*component);
    }
    for (const Value& value : own) start.push_back(value.*component);
    const std::vector<float> fitted = fit_vertices(points_, wanted, start, {-INFINITY, INFINITY});
    for (size_t v = 0; v < own.size(); ++v) own[v].*component = fitted[v];
  }

  const Mesh& mesh_;
  std::span<const Vec3> positions_;
  Mesh fitted_;
  std::vector<uint32_t> vertices_;  // of the level, ascending
  Patches finest_, level_;
  std::vector<PointOnMesh> fine_points_, points_;  // of the finest surface; of the level, nearest to them
  std::vector<uint32_t> patches_;                  // of each point
};

constexpr double kMaxTriangleExcess = 1.2;  // times the requested triangles; above it, hard edges are smoothed
constexpr double kMaxTriangleRatio = 0.9;   // of the previous level's triangles; above it, the level is not made

}  // namespace

Mesh smoothed(const Mesh& mesh) {
  const std::vector<uint32_t> classes = skinning_classes(mesh);
  std::vector<meshopt_Stream> streams = {{mesh.positions.data(), sizeof(Vec3), sizeof(Vec3)},
                                         {mesh.uvs.data(), sizeof(Vec2), sizeof(Vec2)},
                                         {classes.data(), sizeof(uint32_t), sizeof(uint32_t)}};
  if (!mesh.second_uvs.empty()) streams.push_back({mesh.second_uvs.data(), sizeof(Vec2), sizeof(Vec2)});
  if (!mesh.colors.empty()) streams.push_back({mesh.colors.data(), sizeof(VertexColor), sizeof(VertexColor)});
  if (!mesh.tangents.empty()) streams.push_back({&mesh.tangents[0].w, sizeof(float), sizeof(Vec4)});
  Mesh result = mesh;
  meshopt_generateShadowIndexBufferMulti(result.indices.data(), mesh.indices.data(), mesh.indices.size(),
                                         mesh.positions.size(), streams.data(), streams.size());
  std::vector<Vec3> sums(mesh.positions.size());
  for (size_t i = 0; i < mesh.indices.size(); ++i) {
    Vec3& sum = sums[result.indices[i]];
    sum = sum + mesh.normals[mesh.indices[i]];
  }
  for (const uint32_t v : result.indices) result.normals[v] = normalize(sums[v], mesh.normals[v]);
  smooth_tangents(mesh, result);
  return result;
}

Mesh level_mesh(const Mesh& mesh, std::span<const uint32_t> indices) { return LevelBuilder(mesh).make(indices); }

Mesh fitted_to_surface(const Mesh& mesh, std::span<const Vec3> positions, std::span<const uint32_t> level) {
  return SurfaceFit(mesh, positions, level).run();
}

Status validate(const LodOptions& options) {
  const auto refuse = [](const char* why) {
    return Error{ErrorCode::kInvalidArgument, std::string("levels of detail: ") + why};
  };
  float before = 1;
  for (const float share : options.triangle_shares) {
    if (!(share > 0) || !(share < before)) return refuse("shares of triangles must lie between 0 and 1 and descend");
    before = share;
  }
  if (!(options.max_error > 0)) return refuse("the largest error must be positive");
  return {};
}

std::vector<TexturedLevel> make_textured_levels(const Mesh& mesh, const std::vector<std::span<const Vec3>>& poses,
                                                std::span<const float> triangle_shares, double max_distance,
                                                LevelVertices vertices) {
  std::vector<TexturedLevel> levels;
  std::optional<Mesh> smooth;
  std::optional<EdgeCollapse> collapse(std::in_place, mesh.indices, poses);
  const double all = double(mesh.indices.size() / 3);
  double before = all;
  for (const float share : triangle_shares) {
    const double wanted = double(size_t(double(share) * all));
    collapse->run(size_t(wanted), max_distance);
    if (!smooth && double(collapse->triangle_count()) > kMaxTriangleExcess * wanted) {  // seams of hard edges, maybe
      smooth = smoothed(mesh);
      collapse.emplace(smooth->indices, poses);
      collapse->run(size_t(wanted), max_distance);
    }
    const double left = double(collapse->triangle_count());
    if (left == 0 || left > kMaxTriangleRatio * before) break;
    before = left;
    std::vector<uint32_t> indices = collapse->indices();
    const Mesh& source = smooth ? *smooth : mesh;
    Mesh own =
        level_mesh(vertices == LevelVertices::kFitted ? fitted_to_surface(source, poses[0], indices) : source, indices);
    levels.push_back({std::move(own), std::move(indices)});
  }
  return levels;
}

}  // namespace sinew::internal
