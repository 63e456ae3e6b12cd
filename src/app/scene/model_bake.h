// The distance in which a bake states its error, to compare baked poses with exact ones.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/baked_character.h"

namespace sinew::app {

/// Float rounding adds this to the error that a bake states, in the bake's meters.
inline constexpr double kFloatSums = 1e-6;
/// Blending may increase the error by this factor: the mean of two unit quaternions whose rotations are a half turn
/// apart is shorter by the square root of two. In most cases the mean of two errors is smaller than the larger one.
inline constexpr double kBlendGain = 1.4143;

/// What distances between palettes are measured by.
struct BakeMeasure {
  double units_per_meter = 1;  // model units per meter of the bake, in which the character is 1.8 m large
  /// Of each palette entry: six points around its joint at BakeOptions::error_radius, in model space.
  std::vector<std::array<Vec3, 6>> corners;
};

/// `skin` is the palette of `baked`: that of the character, or of a level of detail.
BakeMeasure measure_of(const Character& character, const Skin& skin, const BakedCharacter& baked);
inline BakeMeasure measure_of(const Character& character, const BakedCharacter& baked) {
  return measure_of(character, character.skin, baked);
}

/// The largest error that the bake states for any clip, in the bake's meters.
double error_of(const BakedCharacter& baked);

/// Upper bound of the error of an evaluated palette against the exact one, in the bake's meters: the bound asked for,
/// or the error reached where it is larger. Empty near a discontinuity of a clip, which may take one frame of the bake.
std::optional<double> allowed_error(const Character& character, const BakedCharacter& baked, const Playback& playback);

/// The largest distance between one corner under two palettes, in the bake's meters. NaN counts as infinite.
double distance_between(const BakeMeasure& measure, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

}  // namespace sinew::app
