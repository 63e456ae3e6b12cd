// Bakes the models of a run, with a progress line, and compares baked poses with exact ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/baked_character.h"
#include "system/progress.h"

namespace sinew::app {

/// Cost and stated error of the bakes for the crowd evaluator.
struct BakeReport {
  uint32_t models = 0;
  double ms = 0;                      // in the import workers and in this process
  double error_mm = 0;                // the largest of all clips, on a character 1.8 m large
  double max_error_mm = 0;            // the error bound that was asked of each clip
  std::vector<std::string> warnings;  // one line for each model that exceeds the bound
  uint32_t read = 0;                  // models with the bake that their file has
};

// The distance in which a bake states its error, to compare baked poses with exact ones.

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

/// Where the error of a clip was measured: "joint 'head' at 0.250 s".
std::string place_of_error(const Character& character, const BakedClip& clip);

/// The largest error that the bake states for any clip, in the bake's meters.
double error_of(const BakedCharacter& baked);

/// Upper bound of the error of an evaluated palette against the exact one, in the bake's meters: the bound asked for,
/// or the error reached where it is larger.
double allowed_error(const BakedCharacter& baked, const Playback& playback);

/// The largest distance between one corner under two matrices. NaN counts as infinite.
double distance_between(const Matrix3x4& a, const Matrix3x4& b, std::span<const Vec3> corners);

/// The largest distance between one corner under two palettes, in the bake's meters. NaN counts as infinite.
double distance_between(const BakeMeasure& measure, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

/// The error of a bake, with the option of `sinew crowd` that avoids it.
Error with_hint(const Error& error);

/// Bakes the palettes of levels of detail again, where the bake that was loaded is not of the clips that the model has
/// now.
Status bake_levels(Model& model, const BakeProgress& progress = {});

/// Bakes the models that no bake was loaded with. May take seconds. Fails with the model's name where a model cannot be
/// baked. A clip whose error stays above the bound becomes a warning in the report. `line`: shows the progress; null:
/// nothing does.
Result<BakeReport> bake_models(std::span<Model> models, ProgressLine* line = nullptr);

/// Measures the bounds of every model from its bake, where none were loaded with it; makes the bake where there is
/// none. `exact`: they contain exact poses too, which may leave those of baked ones a little. A model that cannot be
/// baked is never culled.
void measure_bounds(std::span<Model> models, bool exact, ProgressLine* line = nullptr);

}  // namespace sinew::app
