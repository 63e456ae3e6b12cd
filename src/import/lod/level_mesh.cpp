#include "lod/level_mesh.h"

#include <meshoptimizer.h>

#include <map>
#include <new>
#include <utility>

#include "asset/morph.h"
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

namespace {

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

Mesh level_mesh(const Mesh& mesh, std::span<const uint32_t> indices) { return LevelBuilder(mesh).make(indices); }

}  // namespace sinew::internal
