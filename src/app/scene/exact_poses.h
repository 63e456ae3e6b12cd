// The exact evaluator, as the program uses it.
#pragma once

#include <new>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/model.h"

namespace sinew::app {

/// The masks as evaluate_exact() takes them. Allocates.
inline std::vector<std::vector<float>> factors_of(std::span<const NamedMask> masks) {
  std::vector<std::vector<float>> factors;
  for (const NamedMask& mask : masks) factors.push_back(mask.factors);
  return factors;
}

/// An evaluation with valid arguments: it fails only without memory. Throws std::bad_alloc, which ends the program.
inline void throw_if_failed(const Status& evaluated) {
  if (!evaluated) throw std::bad_alloc();
}

/// The palette of one instance for `skin`, that of the character or of a level of detail. Allocates.
inline std::vector<Matrix3x4> exact_palette(const Character& character, const Skin& skin, const Playback& playback,
                                            std::span<const NamedMask> masks = {}, const ChainTargets& targets = {}) {
  std::vector<Matrix3x4> palette(skin.palette_size());
  EvaluationScratch scratch;
  throw_if_failed(evaluate_exact(character, skin, {&playback, 1}, uint32_t(palette.size()), palette, scratch,
                                 factors_of(masks), targets));
  return palette;
}

/// What skins one instance: its palette, and a weight for each morph target.
struct SkinInput {
  std::vector<Matrix3x4> palette;
  std::vector<float> weights;
};

/// Of one instance, by the exact evaluator. `mesh` is the character's or that of a level of detail, `skin` its palette.
/// Allocates.
inline SkinInput exact_skin_input(const Character& character, const Skin& skin, const Mesh& mesh,
                                  const Playback& playback, std::span<const NamedMask> masks = {},
                                  const ChainTargets& targets = {}) {
  SkinInput input{exact_palette(character, skin, playback, masks, targets), std::vector<float>(mesh.target_count())};
  if (!input.weights.empty())
    throw_if_failed(evaluate_weights_exact(character, {&playback, 1}, uint32_t(input.weights.size()), input.weights));
  return input;
}

/// The skinned position of each vertex of such a mesh, in model space. Allocates.
inline std::vector<Vec3> exact_positions(const Character& character, const Skin& skin, const Mesh& mesh,
                                         const Playback& playback, std::span<const NamedMask> masks = {},
                                         const ChainTargets& targets = {}) {
  std::vector<Vec3> positions(mesh.vertex_count()), normals(positions.size());
  const SkinInput input = exact_skin_input(character, skin, mesh, playback, masks, targets);
  skin_on_cpu(mesh, input.palette, positions, normals, {}, input.weights);
  return positions;
}

/// The same for a level of detail of a model, with the model's masks.
inline std::vector<Vec3> exact_positions(const sinew::Model& model, uint32_t level, const Playback& playback) {
  return exact_positions(model.character, model.skin(level), model.mesh(level), playback, model.masks);
}

/// The same for the character's own mesh.
inline std::vector<Vec3> exact_positions(const Character& character, const Playback& playback) {
  return exact_positions(character, character.skin, character.mesh, playback);
}

}  // namespace sinew::app
