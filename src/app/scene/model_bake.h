// A model's clips baked for the crowd evaluator, and the measure in which the bake states its error.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// Floats add this to what a bake states, in its meters.
inline constexpr double kFloatSums = 1e-6;
/// Where clips are blended, their errors may grow with the rotations: the mean of two a half turn apart is shorter than
/// they are by the square root of two. Commonly the mean of errors is smaller than the larger of them.
inline constexpr double kBlendGain = 1.4143;

struct ModelBake {
  BakedCharacter baked;
  double units_per_meter = 1;  // the bake's meters, in which the character is 1.8 m large
  std::vector<std::array<Vec3, 6>>
      corners;  // of each palette entry: BakeOptions::error_radius around its joint, model space

  /// The largest error that the bake states of any clip, in its meters.
  double error() const;
};

/// Bakes the clips, or takes what is baked already.
Result<ModelBake> bake_model(const Character& character, std::optional<BakedCharacter> baked = {},
                             const BakeProgress& progress = {});

/// How far what is evaluated from the bake may be from the exact palettes, in the bake's meters: what was asked, or
/// what was reached where that is more. No bound where a clip jumps, for that may take a frame.
std::optional<double> allowed_error(const Character& character, const ModelBake& bake, const Playback& playback);

/// How far two palettes carry the same corner apart at most, in the bake's meters; not a number counts as infinite.
double distance_between(const ModelBake& bake, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

}  // namespace sinew::app
