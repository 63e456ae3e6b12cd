// Poses by the exact evaluator.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "animation/rig.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"

namespace sinew::test {

/// `skin` is the character's or that of a level of detail.
inline std::vector<Matrix3x4> exact_palette(const Character& character, const Skin& skin, const Playback& playback,
                                            const ChainTargets& targets = {}) {
  std::vector<Matrix3x4> palette(skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(evaluate_exact(character, skin, {&playback, 1}, uint32_t(palette.size()), palette, scratch, {}, targets));
  return palette;
}
inline std::vector<Matrix3x4> exact_palette(const Character& character, const Playback& playback) {
  return exact_palette(character, character.skin, playback);
}

/// Of each vertex, skinned on the CPU; in model space.
inline std::vector<Vec3> exact_positions(const Character& character, const Skin& skin, const Mesh& mesh,
                                         const Playback& playback, const ChainTargets& targets = {}) {
  std::vector<float> weights(mesh.target_count());
  if (!weights.empty()) {  // coarse levels of detail have no morph targets
    EXPECT_TRUE(evaluate_weights_exact(character, {&playback, 1}, uint32_t(weights.size()), weights));
  }
  return skinned_positions(mesh, exact_palette(character, skin, playback, targets), weights);
}
inline std::vector<Vec3> exact_positions(const Character& character, const Playback& playback) {
  return exact_positions(character, character.skin, character.mesh, playback);
}

}  // namespace sinew::test
