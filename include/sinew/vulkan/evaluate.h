// From what instances play to their palettes in a range of the skinner. This header needs sinew::animation and
// sinew::vulkan.
#pragma once

#include <span>
#include <string>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner.h"

namespace sinew {
namespace internal {

/// The refusal of an evaluate() whose arguments have different sizes.
inline Status check_range(const BakedCharacter* baked, size_t playbacks, const vulkan::InstanceRange& range) {
  const auto refuse = [](const std::string& why) { return Error{ErrorCode::kInvalidArgument, "evaluate: " + why}; };
  if (baked == nullptr) return refuse("the evaluator is empty");
  if (playbacks != range.instance_count) {
    return refuse(std::to_string(playbacks) + " playbacks for a range of " + std::to_string(range.instance_count) +
                  " instances");
  }
  if (baked->palette_size != range.palette_size) {
    return refuse("the bake has " + std::to_string(baked->palette_size) + " palette entries, and the mesh " +
                  std::to_string(range.palette_size) + ": bake() comes after add_palette_entry()");
  }
  if (range.target_count != 0 && baked->target_count() != range.target_count) {
    return refuse("the bake has " + std::to_string(baked->target_count()) + " morph targets, and the mesh " +
                  std::to_string(range.target_count));
  }
  return {};
}

}  // namespace internal

/// Writes the palettes of all instances of `range`, compact or not, and their morph weights if the mesh has targets:
/// playback i is that of instance range.first_instance + i of the batch. `sockets` is empty, or receives the sockets as
/// CrowdEvaluator::evaluate() writes them; with compact palettes none is written. `targets` are of the chains of the
/// evaluator, and count instances of the range. Calls may run in parallel on different ranges. Errors: kInvalidArgument
/// (another number of playbacks than of instances, a bake with other palette entries or morph targets than the mesh),
/// with nothing written; kUnsupported (compact palettes, and the bake scales joints); kOutOfMemory, then some palettes
/// may be unwritten.
inline Status evaluate(const CrowdEvaluator& evaluator, std::span<const Playback> playbacks,
                       const vulkan::InstanceRange& range, const ParallelFor& parallel_for = {},
                       std::span<Matrix3x4> sockets = {}, std::span<const ChainTarget> targets = {}) {
  const BakedCharacter* const baked = evaluator.baked();
  if (Status checked = internal::check_range(baked, playbacks.size(), range); !checked) return checked;
  if (!range.compact_palettes.empty()) sockets = {};
  const Status written = evaluator.evaluate(
      {playbacks, targets, range.palette_stride, range.palettes, range.compact_palettes, sockets}, parallel_for);
  if (!written || range.target_count == 0) return written;
  return evaluate_weights(*baked, playbacks, range.weight_stride, range.weights, parallel_for);
}

}  // namespace sinew
