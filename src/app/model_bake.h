// A model's clips baked for the crowd evaluator, and the measure in which the bake states its error.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sinew/bake.h"
#include "sinew/crowd.h"

namespace sinew::app {

struct ModelBake {
  BakedCharacter baked;
  double units_per_metre = 1;                // the bake's metres, in which the character is 1.8 m large
  std::vector<std::array<Vec3, 6>> corners;  // of each palette entry: BakeOptions::reach around its joint, model space

  /// The largest error that the bake states of any clip, in its metres.
  double error() const;
};

/// Bakes the clips, or takes what is baked already.
Result<ModelBake> bake_model(const Character& character, std::optional<BakedCharacter> baked = {});

/// How far two palettes carry the same corner apart at most, in the bake's metres; not a number counts as infinite.
double distance_between(const ModelBake& bake, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

}  // namespace sinew::app
