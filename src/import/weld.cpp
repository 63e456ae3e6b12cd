#include "weld.h"

#include <meshoptimizer.h>

#include <map>
#include <string>
#include <utility>

#include "asset/morph.h"
#include "morph_targets.h"

namespace sinew::internal {
namespace {

/// One number per vertex, equal for vertices with equal influences.
std::vector<uint32_t> influence_lists(const SceneMesh& mesh) {
  std::vector<uint32_t> lists(mesh.positions.size());
  std::map<std::string, uint32_t> known;
  for (size_t v = 0; v < lists.size() && !mesh.first_influence.empty(); ++v) {
    const SceneInfluence* influences = mesh.influences.data();
    const uint32_t first = mesh.first_influence[v], end = mesh.first_influence[v + 1];
    const std::string bytes(reinterpret_cast<const char*>(influences + first), (end - first) * sizeof(SceneInfluence));
    lists[v] = known.try_emplace(bytes, uint32_t(known.size())).first->second;
  }
  return lists;
}

template <class T>
void remap(std::vector<T>& values, const std::vector<unsigned>& new_index, size_t count) {
  if (values.empty()) return;
  std::vector<T> result(count);
  meshopt_remapVertexBuffer(result.data(), values.data(), values.size(), sizeof(T), new_index.data());
  values = std::move(result);
}

void remap_influences(SceneMesh& mesh, const std::vector<unsigned>& new_index, size_t count) {
  if (mesh.first_influence.empty()) return;
  std::vector<uint32_t> vertex_at(count);  // for each new vertex, one of the equal old vertices
  for (uint32_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] != ~0u) vertex_at[new_index[v]] = v;
  }
  std::vector<uint32_t> first = {0};
  std::vector<SceneInfluence> influences;
  for (const uint32_t v : vertex_at) {
    influences.insert(influences.end(), mesh.influences.begin() + mesh.first_influence[v],
                      mesh.influences.begin() + mesh.first_influence[v + 1]);
    first.push_back(uint32_t(influences.size()));
  }
  mesh.first_influence = std::move(first);
  mesh.influences = std::move(influences);
}

}  // namespace

void weld(SceneMesh& mesh) {
  if (mesh.indices.empty()) {  // points and lines; without indices, meshoptimizer would keep all vertices
    SceneMesh empty;
    empty.name = mesh.name, empty.material = mesh.material, empty.has_tangents = mesh.has_tangents;
    mesh = std::move(empty);
    return;
  }
  const std::vector<uint32_t> lists = influence_lists(mesh);
  std::vector<meshopt_Stream> streams = {{mesh.positions.data(), sizeof(Vec3), sizeof(Vec3)},
                                         {lists.data(), sizeof(uint32_t), sizeof(uint32_t)}};
  if (!mesh.normals.empty()) streams.push_back({mesh.normals.data(), sizeof(Vec3), sizeof(Vec3)});
  if (!mesh.tangents.empty()) streams.push_back({mesh.tangents.data(), sizeof(Vec4), sizeof(Vec4)});
  const std::vector<uint32_t> moved = difference_classes(mesh.targets, mesh.positions.size());
  if (!moved.empty()) streams.push_back({moved.data(), sizeof(uint32_t), sizeof(uint32_t)});
  if (!mesh.uvs.empty()) streams.push_back({mesh.uvs.data(), sizeof(Vec2), sizeof(Vec2)});
  if (!mesh.second_uvs.empty()) streams.push_back({mesh.second_uvs.data(), sizeof(Vec2), sizeof(Vec2)});
  if (!mesh.colors.empty()) streams.push_back({mesh.colors.data(), sizeof(VertexColor), sizeof(VertexColor)});

  const size_t old_count = mesh.positions.size();
  std::vector<unsigned> new_index(old_count);
  const size_t count = meshopt_generateVertexRemapMulti(new_index.data(), mesh.indices.data(), mesh.indices.size(),
                                                        old_count, streams.data(), streams.size());
  meshopt_remapIndexBuffer(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(), new_index.data());
  remap(mesh.positions, new_index, count);
  remap(mesh.normals, new_index, count);
  remap(mesh.tangents, new_index, count);
  remap(mesh.uvs, new_index, count);
  remap(mesh.second_uvs, new_index, count);
  remap(mesh.colors, new_index, count);
  remap_influences(mesh, new_index, count);
  for (MorphTarget& target : mesh.targets) target = reindexed(target, new_index);
}

}  // namespace sinew::internal
