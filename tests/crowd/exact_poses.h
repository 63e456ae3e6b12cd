// Poses by the exact evaluator.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::test {

inline std::vector<Matrix3x4> exact_palette(const Character& character, const Playback& playback) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(evaluate_exact(character, {&playback, 1}, uint32_t(palette.size()), palette, scratch));
  return palette;
}

/// Of each vertex, skinned on the CPU; in model space.
inline std::vector<Vec3> exact_positions(const Character& character, const Playback& playback) {
  const Mesh& mesh = character.mesh;
  std::vector<float> weights(mesh.target_count());
  EXPECT_TRUE(evaluate_weights_exact(character, {&playback, 1}, uint32_t(weights.size()), weights));
  std::vector<Vec3> positions(mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(mesh, exact_palette(character, playback), positions, normals, {}, weights);
  return positions;
}

}  // namespace sinew::test
