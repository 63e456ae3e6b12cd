// The vertices of a character at a time of a clip, by the exact evaluator and the CPU skinner.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "must.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/character.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::test {

struct Posed {
  std::vector<Vec3> positions, normals;
};

/// Skinned vertices in model space. `clip` below 0: the rest pose.
inline Posed pose(const Character& character, int clip = -1, float time_seconds = 0) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<Transform> local = skeleton.rest_pose;
  if (clip >= 0) sample_clip(character.clips.at(size_t(clip)), skeleton, time_seconds, local);
  std::vector<Matrix3x4d> joints(skeleton.joint_count());
  walk_hierarchy(skeleton, local, joints);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, joints, palette);
  Posed posed{std::vector<Vec3>(character.mesh.vertex_count()), std::vector<Vec3>(character.mesh.vertex_count())};
  std::vector<float> weights;
  for (const MorphTarget& target : character.mesh.targets) weights.push_back(target.rest_weight);
  if (clip >= 0) sample_weights(character.clips.at(size_t(clip)), character.mesh.targets, time_seconds, weights);
  skin_on_cpu(character.mesh, palette, posed.positions, posed.normals, {}, weights);
  return posed;
}

/// The diagonal of the bounding box.
inline float diagonal_of(const std::vector<Vec3>& positions) {
  EXPECT_FALSE(positions.empty());
  return length(size_of(bounding_box(positions)));
}

}  // namespace sinew::test
