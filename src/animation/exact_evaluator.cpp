#include "sinew/animation/evaluator.h"

#include <algorithm>
#include <string>

#include "asset/exceptions.h"
#include "chain_solver.h"
#include "palette_size.h"
#include "sinew/animation/pose.h"
#include "sinew/profile.h"

namespace sinew {

using namespace internal;
namespace {

/// Whether the layer has weight, and a clip of that kind.
bool plays(const Character& character, const Layer& layer, bool additive) {
  return layer.weight > 0 && layer.clip < character.clips.size() && character.clips[layer.clip].additive == additive;
}

/// A mask without factors is one of all joints.
Status check_masks(std::span<const std::vector<float>> masks, uint32_t joint_count) {
  for (size_t m = 0; m < masks.size(); ++m) {
    if (masks[m].empty() || masks[m].size() == joint_count) continue;
    return Error{ErrorCode::kInvalidArgument, "mask " + std::to_string(m + 1) + ": it has " +
                                                  std::to_string(masks[m].size()) + " factors for " +
                                                  std::to_string(joint_count) + " joints"};
  }
  return {};
}

/// The weight divided by the heaviest weight, so that the sum of weights neither overflows nor becomes 0.
float relative_weight(const Character& character, const Playback& playback, float weight) {
  float heaviest = 0;
  for (const Layer& layer : playback.layers) {
    if (plays(character, layer, false)) heaviest = std::max(heaviest, layer.weight);
  }
  return weight == heaviest ? 1 : weight / heaviest;
}

std::span<const float> mask_of(const Layer& layer, std::span<const std::vector<float>> masks) {
  if (layer.mask == 0 || layer.mask > masks.size()) return {};
  return masks[layer.mask - 1];
}

void evaluate_pose(const Character& character, const Playback& playback, std::span<const std::vector<float>> masks,
                   EvaluationScratch& scratch) {
  const Skeleton& skeleton = character.skeleton;
  PoseLayer layers[kMaxLayers];
  size_t count = 0;
  for (const Layer& layer : playback.layers) {
    if (!plays(character, layer, false)) continue;
    sample_clip(character.clips[layer.clip], skeleton, layer.time_seconds, scratch.poses[count]);
    layers[count] = {scratch.poses[count], relative_weight(character, playback, layer.weight), mask_of(layer, masks)};
    ++count;
  }
  if (count != 1) blend_poses({layers, count}, skeleton.rest_pose, scratch.poses[0]);
  for (const Layer& layer : playback.layers) {
    if (!plays(character, layer, true)) continue;
    sample_clip(character.clips[layer.clip], skeleton, layer.time_seconds, scratch.poses[1]);
    add_pose({scratch.poses[1], std::min(layer.weight, 1.0f), mask_of(layer, masks)}, scratch.poses[0]);
  }
}

}  // namespace

Status evaluate_exact(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                      std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                      std::span<const std::vector<float>> masks, const ChainTargets& targets) {
  return evaluate_exact(character, character.skin, instances, palette_stride, palettes, scratch, masks, targets);
}

Status evaluate_exact(const Character& character, const Skin& skin, std::span<const Playback> instances,
                      uint32_t palette_stride, std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                      std::span<const std::vector<float>> masks, const ChainTargets& targets) SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew evaluate");
  const uint32_t palette_size = skin.palette_size();
  Status fits = check_palette_room(instances.size(), palette_size, palette_stride, palettes.size());
  if (!fits) return fits;
  if (Status status = check_masks(masks, character.skeleton.joint_count()); !status) return status;
  if (Status status = check_targets(targets.targets, instances.size(), targets.chains.size()); !status) return status;
  for (auto& pose : scratch.poses) pose.resize(character.skeleton.joint_count());
  scratch.model_from_joint.resize(character.skeleton.joint_count());

  for (size_t i = 0; i < instances.size(); ++i) {
    evaluate_pose(character, instances[i], masks, scratch);
    walk_hierarchy(character.skeleton, scratch.poses[0], scratch.model_from_joint);
    apply_chains(character, targets.chains, targets_of(targets.targets, uint32_t(i)), scratch.model_from_joint);
    build_palette(skin, scratch.model_from_joint, palettes.subspan(i * palette_stride, palette_size));
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
