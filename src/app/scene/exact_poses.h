// The exact evaluator, as the program uses it.
#pragma once

#include <new>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// evaluate_crowd(), which can only run out of memory: that ends the program, as it does everywhere in it.
inline void evaluate_exactly(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                             std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                             std::span<const std::vector<float>> masks = {}) {
  if (!evaluate_crowd(character, instances, palette_stride, palettes, scratch, masks)) throw std::bad_alloc();
}

/// The palette of one instance.
inline std::vector<Matrix3x4> exact_palette(const Character& character, const Playback& playback) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  EvaluationScratch scratch;
  evaluate_exactly(character, {&playback, 1}, uint32_t(palette.size()), palette, scratch);
  return palette;
}

}  // namespace sinew::app
