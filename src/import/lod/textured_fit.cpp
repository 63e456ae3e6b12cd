#include "lod/textured_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "lod/surface_distance.h"
#include "lod/vertex_fit.h"
#include "surface.h"

namespace sinew::internal {
namespace {

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

}  // namespace

Mesh fitted_to_surface(const Mesh& mesh, std::span<const Vec3> positions, std::span<const uint32_t> level) {
  return SurfaceFit(mesh, positions, level).run();
}

}  // namespace sinew::internal
