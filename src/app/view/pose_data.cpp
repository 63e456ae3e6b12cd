#include <algorithm>

#include "scene/exact_poses.h"
#include "view/pose.h"

namespace sinew::app {

PoseData pose_data(const Model& model, const Playback& playback) {
  const Character& character = model.character;
  PoseData data;
  data.palette.resize(character.skin.palette_size());
  EvaluationScratch scratch;
  evaluate_exact_or_throw(character, {&playback, 1}, uint32_t(data.palette.size()), data.palette, scratch, model.masks);
  data.weights.resize(character.mesh.target_count());
  evaluate_weights_exact_or_throw(character, {&playback, 1}, uint32_t(data.weights.size()), data.weights);
  data.local = std::move(scratch.poses[0]);
  data.model_from_joint = std::move(scratch.model_from_joint);
  return data;
}

PosedVertices posed_vertices(const Model& model, uint32_t level, std::span<const Matrix3x4> palette,
                             std::span<const float> weights) {
  const Mesh& mesh = model.levels[level].mesh;
  PosedVertices posed;
  posed.positions.resize(mesh.vertex_count());
  posed.normals.resize(mesh.vertex_count());
  posed.tangents.resize(mesh.tangents.size());
  skin_on_cpu(mesh, palette, posed.positions, posed.normals, posed.tangents, weights);
  return posed;
}

float largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, length(a[i] - b[i]));
  return largest;
}

std::vector<bool> moving_joints(const Character& character) {
  std::vector<bool> moving(character.skeleton.joint_count());
  for (const Influence& influence : character.mesh.influences) {
    const int32_t joint = character.skin.entries[influence.entry].joint;
    if (joint != kNoJoint) moving[size_t(joint)] = true;
  }
  for (size_t joint = moving.size(); joint-- > 0;) {  // children follow their parents
    const int32_t parent = character.skeleton.parents[joint];
    if (moving[joint] && parent != kNoJoint) moving[size_t(parent)] = true;
  }
  return moving;
}

}  // namespace sinew::app
