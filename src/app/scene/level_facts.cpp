#include "scene/level_facts.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {

LevelFacts facts_of(const Model& model, uint32_t level) {
  const Mesh& mesh = model.mesh(level);
  LevelFacts facts;
  facts.triangles = uint32_t(mesh.indices.size() / 3), facts.vertices = mesh.vertex_count();
  facts.joints = model.skin(level).palette_size();
  facts.influences = max_influences(mesh);
  facts.parts = uint32_t(std::ranges::count_if(mesh.parts, [](const MeshPart& part) { return part.index_count > 0; }));
  facts.error_meters = level == 0 ? 0 : model.levels[level - 1].error * model.meters_per_unit();
  facts.height_pixels = facts.error_meters > 0 ? model.height / facts.error_meters : INFINITY;
  return facts;
}

std::vector<LevelFacts> level_facts(const Model& model) {
  std::vector<LevelFacts> facts;
  for (uint32_t level = 0; level < model.level_count(); ++level) facts.push_back(facts_of(model, level));
  return facts;
}

}  // namespace sinew::app
