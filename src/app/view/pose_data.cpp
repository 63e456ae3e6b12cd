#include "view/pose_data.h"

#include <algorithm>

#include "scene/exact_poses.h"

namespace sinew::app {

PoseData pose_data(const Model& model, uint32_t level, const Playback& playback) {
  const Character& character = model.character;
  PoseData data;
  data.palette.resize(character.skin.palette_size());
  EvaluationScratch scratch;
  evaluate_exact_or_throw(character, {&playback, 1}, uint32_t(data.palette.size()), data.palette, scratch, model.masks);
  data.local = std::move(scratch.poses[0]);
  data.model_from_joint = std::move(scratch.model_from_joint);
  const Mesh& mesh = model.levels[level].mesh;
  data.positions.resize(mesh.vertex_count());
  data.normals.resize(mesh.vertex_count());
  data.tangents.resize(mesh.tangents.size());
  skin_on_cpu(mesh, data.palette, data.positions, data.normals, data.tangents);
  return data;
}

float largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, length(a[i] - b[i]));
  return largest;
}

std::vector<Vec3> positions_with(const Model& model, uint32_t level, std::span<const Matrix3x4> palette) {
  const Mesh& mesh = model.levels[level].mesh;
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  skin_on_cpu(mesh, palette, positions, normals);
  return positions;
}

}  // namespace sinew::app
