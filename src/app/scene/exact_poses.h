// The exact evaluator, as the program uses it.
#pragma once

#include <new>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::app {

/// evaluate_exact() with valid arguments: it fails only without memory. Throws std::bad_alloc, which ends the program.
inline void evaluate_exactly(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                             std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                             std::span<const std::vector<float>> masks = {}) {
  if (!evaluate_exact(character, instances, palette_stride, palettes, scratch, masks)) throw std::bad_alloc();
}

/// The palette of one instance: palette_size matrices. Allocates.
inline std::vector<Matrix3x4> exact_palette(const Character& character, const Playback& playback,
                                            std::span<const std::vector<float>> masks = {}) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  EvaluationScratch scratch;
  evaluate_exactly(character, {&playback, 1}, uint32_t(palette.size()), palette, scratch, masks);
  return palette;
}

/// The skinned position of each vertex in model space. Allocates.
inline std::vector<Vec3> exact_positions(const Character& character, const Playback& playback) {
  std::vector<Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(character.mesh, exact_palette(character, playback), positions, normals);
  return positions;
}

}  // namespace sinew::app
