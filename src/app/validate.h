// Holds what a frame computed against the CPU skinner and the exact evaluator.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "scene.h"
#include "skinning.h"

namespace sinew::app {

/// The bounds: shares of the model's diagonal, and degrees.
inline constexpr double kMaxPositionError = 1e-5, kMaxNormalDegrees = 0.02, kMaxPaletteError = 1e-5;
/// Of what is evaluated from bakes, palettes are held to what the bake stated instead; floats add this, in its metres.
inline constexpr double kFloatSums = 1e-6;
/// Where clips are blended, what the bake states of each may grow: the mean of rotations a half turn apart is shorter
/// than they are by up to the square root of two.
inline constexpr double kBlendGain = 1.4143;

/// The worst of everything compared. What is no number counts as infinite.
struct Comparison {
  uint64_t characters = 0, vertices = 0, ranges = 0;
  double position_error = 0, normal_degrees = 0, palette_error = 0;
  std::optional<double> pose_error_mm;     // of palettes in the bake's measure; none where nothing is baked
  std::optional<std::string> output_hash;  // of all skinned vertices; none where none are kept
  std::string first_failure;               // names the character; empty where all is within the bounds
};

/// Palettes are compared with the exact stages, vertices with the CPU skinner: on the exact palettes, or on those that
/// were used where they come from a bake.
///
/// Compares the last frame that `skinning` evaluated, which must be complete and be that of `seconds`.
///
/// Every vertex and palette of every character; of crowds with more than 20 million vertices those of 100 characters
/// chosen by `seed`, at least one from each range. With SkinningMode::kVertex there are palettes alone.
Result<Comparison> compare_frame(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const Skinning& skinning, double seconds, uint64_t seed);

}  // namespace sinew::app
