#include <algorithm>

#include "sinew/crowd/plan.h"

namespace sinew::crowd {

std::span<const PosedMesh> posed_meshes_of(const Plan& plan, uint32_t group, uint32_t batch, uint32_t first,
                                           uint32_t count) {
  if (group >= plan.groups.size() || batch >= plan.groups[group].batch_count) return {};
  const PosedBatch& own = plan.batches[plan.groups[group].first_batch + batch];
  if (first > own.mesh_count || count > own.mesh_count - first) return {};
  return std::span(plan.posed_meshes).subspan(own.first_mesh + first, count);
}

uint32_t count_draws(std::span<const PosedMesh> posed_meshes) {
  return uint32_t(std::count_if(posed_meshes.begin(), posed_meshes.end(),
                                [](const PosedMesh& mesh) { return mesh.instance_count > 0; }));
}

void write_draws(std::span<const PosedMesh> posed_meshes, const DrawInfo& info, std::span<DrawCommand> commands) {
  size_t written = 0;
  uint32_t first_vertex = info.first_vertex;
  for (const PosedMesh& mesh : posed_meshes) {
    if (mesh.instance_count > 0 && written < commands.size()) {
      commands[written++] = {info.index_count, mesh.instance_count, info.first_index, int32_t(first_vertex),
                             mesh.first_instance};
    }
    first_vertex += info.vertex_count;
  }
}

DrawCommand instanced_draw(std::span<const PosedMesh> posed_meshes, const DrawInfo& info) {
  DrawCommand command{info.index_count, 0, info.first_index};
  if (posed_meshes.empty()) return command;
  const PosedMesh& last = posed_meshes.back();
  command.first_instance = posed_meshes.front().first_instance;
  command.instance_count = last.first_instance + last.instance_count - command.first_instance;
  return command;
}

void write_first_vertices(std::span<const PosedMesh> posed_meshes, const DrawInfo& info,
                          std::span<uint32_t> first_vertices) {
  uint32_t first_vertex = info.first_vertex;
  for (const PosedMesh& mesh : posed_meshes) {
    const size_t begin = std::min<size_t>(mesh.first_instance, first_vertices.size());
    const size_t count = std::min<size_t>(mesh.instance_count, first_vertices.size() - begin);
    std::ranges::fill(first_vertices.subspan(begin, count), first_vertex);
    first_vertex += info.vertex_count;
  }
}

}  // namespace sinew::crowd
