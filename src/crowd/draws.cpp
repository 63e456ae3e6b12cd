#include <algorithm>
#include <cassert>

#include "sinew/crowd/plan.h"

namespace sinew::crowd {

uint32_t count_draws(std::span<const PosedMesh> posed_meshes) {
  return uint32_t(std::count_if(posed_meshes.begin(), posed_meshes.end(),
                                [](const PosedMesh& mesh) { return mesh.instance_count > 0; }));
}

void write_draws(std::span<const PosedMesh> posed_meshes, const DrawInfo& info, std::span<DrawCommand> commands) {
  assert(commands.size() >= count_draws(posed_meshes));
  size_t written = 0;
  uint32_t first_vertex = info.first_vertex;
  for (const PosedMesh& mesh : posed_meshes) {
    if (mesh.instance_count > 0) {
      commands[written++] = {info.index_count, mesh.instance_count, info.first_index, int32_t(first_vertex),
                             mesh.first_instance};
    }
    first_vertex += info.vertex_count;
  }
}

}  // namespace sinew::crowd
