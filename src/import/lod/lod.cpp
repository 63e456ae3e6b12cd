#include "sinew/import/lod.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "asset/morph.h"
#include "lod/lod_error.h"
#include "morph_targets.h"
#include "sinew/asset/mesh.h"
#include "surface.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kMaxEntries = 65536;
constexpr double kMaxTriangleExcess = 1.2;  // times the requested triangles; above it, hard edges are smoothed
constexpr double kMaxTriangleRatio = 0.9;   // of the previous level's triangles; above it, the level is not made

size_t triangle_count(const std::vector<uint32_t>& indices) { return indices.size() / 3; }

Error refuse(std::string why) { return {ErrorCode::kInvalidArgument, "levels of detail: " + std::move(why)}; }

Status check(const Mesh& mesh, std::span<const Vec3> positions, const LodOptions& options) {
  float before = 1;
  for (const float share : options.triangle_shares) {
    if (!(share > 0) || !(share < before)) return refuse("shares of triangles must lie between 0 and 1 and descend");
    before = share;
  }
  if (!(options.max_error > 0)) return refuse("the largest error must be positive");
  if (!positions.empty() && positions.size() != mesh.positions.size()) {
    return refuse(std::to_string(positions.size()) + " positions for " + std::to_string(mesh.positions.size()) +
                  " vertices");
  }
  for (const Vec3 p : positions) {
    if (!is_finite(p)) return refuse("a position is not finite");
  }
  return validate(mesh, kMaxEntries);
}

double diagonal_of(std::span<const Vec3> positions) {
  Vec3 low = positions[0], high = positions[0];
  for (const Vec3 p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return double(length(high - low));
}

/// Returns the triangles that remain, in their original order. Stops at `triangles`, or before the surface would move
/// by more than `max_distance`.
std::vector<uint32_t> simplify(std::span<const uint32_t> indices, std::span<const Vec3> positions, size_t triangles,
                               double max_distance) {
  // Unused vertices are removed: the simplifier would take them for the other side of a seam.
  std::vector<uint32_t> new_index(positions.size()), used(positions.size());
  used.resize(meshopt_optimizeVertexFetchRemap(new_index.data(), indices.data(), indices.size(), positions.size()));
  std::vector<Vec3> points(used.size());
  for (uint32_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] != ~0u) used[new_index[v]] = v, points[new_index[v]] = positions[v];
  }
  std::vector<uint32_t> compact, result(indices.size());
  for (const uint32_t index : indices) compact.push_back(new_index[index]);
  const double scale = double(meshopt_simplifyScale(&points[0].x, points.size(), sizeof(Vec3)));
  result.resize(meshopt_simplify(result.data(), compact.data(), compact.size(), &points[0].x, points.size(),
                                 sizeof(Vec3), triangles * 3, scale > 0 ? float(max_distance / scale) : 1, 0, nullptr));
  for (uint32_t& index : result) index = used[index];
  return result;
}

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

/// The mesh with its hard edges smoothed: vertices that differ only in the directions of normal and tangent are merged
/// into the first of them.
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

/// Builds the mesh of one level, part by part.
class LevelBuilder {
 public:
  explicit LevelBuilder(const Mesh& mesh) : mesh_(mesh), new_index_of_(mesh.vertex_count(), kRemovedVertex) {
    level_.first_influence = {0};
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

}  // namespace

Result<std::vector<ModelLevel>> make_levels(const Mesh& mesh, std::span<const Vec3> positions,
                                            const LodOptions& options) try {
  if (Status status = check(mesh, positions, options); !status) return status.error();
  std::vector<ModelLevel> levels;
  if (mesh.indices.empty()) return levels;
  if (positions.empty()) positions = mesh.positions;
  const double diagonal = diagonal_of(positions);
  if (!std::isfinite(diagonal)) return refuse("positions lie farther apart than floats hold");
  const size_t all = triangle_count(mesh.indices);
  std::optional<Mesh> smooth;
  size_t before = all;
  for (const float share : options.triangle_shares) {
    const size_t wanted = size_t(double(share) * double(all));
    const double max_distance = double(options.max_error) * diagonal;
    std::vector<uint32_t> indices;
    if (!smooth) {
      indices = simplify(mesh.indices, positions, wanted, max_distance);
      // Seams of hard edges may have stopped the simplifier.
      if (double(triangle_count(indices)) > kMaxTriangleExcess * double(wanted)) smooth = smoothed(mesh);
    }
    if (smooth) indices = simplify(smooth->indices, positions, wanted, max_distance);
    if (indices.empty() || double(triangle_count(indices)) > kMaxTriangleRatio * double(before)) break;
    before = triangle_count(indices);
    const double moved = largest_distance({positions, mesh.indices}, {positions, indices});
    levels.push_back({LevelBuilder(smooth ? *smooth : mesh).make(indices), float(moved)});
  }
  return levels;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

}  // namespace sinew
