// Holds what a frame computed against the CPU skinner and the exact evaluator.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "render/skinning.h"
#include "report/report.h"
#include "scene/scene.h"

namespace sinew::app {

/// The worst of everything compared. What is no number counts as infinite.
struct Comparison {
  uint64_t characters = 0, vertices = 0;
  double position_error = 0, normal_degrees = 0, palette_error = 0;
  std::optional<double> pose_error_mm;     // of palettes in the bake's measure; none where nothing is baked
  std::optional<double> shared_degrees;    // the most that a shared pose turns a joint from where it should be
  uint64_t leaping = 0;                    // characters left out of it: their clips leap, for which a bake has a frame
  std::optional<std::string> output_hash;  // of all skinned vertices; none where none are kept
  std::string first_failure;               // names the character; empty where all is within the bounds
};

/// Palettes are compared with the exact stages, within kMaxPaletteError, or where they come from a bake within what
/// allowed_error() says. Vertices are compared with the CPU skinner: on the exact palettes, or where those come from a
/// bake on the very palettes that were used.
///
/// Compares the last frame that `skinning` evaluated, which must be complete and be that of `cast`.
///
/// Every vertex and palette of every copy, held ones at the moment they show; of casts with more than 20 million
/// vertices those of 100 copies chosen by `seed`, at least one from each range. With SkinningMode::kVertex there are
/// palettes alone.
Result<Comparison> compare_frame(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const VisibleSet& visible_set, const Skinning& skinning, uint64_t seed);

}  // namespace sinew::app
