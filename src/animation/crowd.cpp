#include "sinew/crowd.h"

#include <cassert>

#include "sinew/blend.h"
#include "sinew/hierarchy.h"
#include "sinew/palette.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

void evaluate_pose(const Character& character, const Playback& playback, EvaluationScratch& scratch) {
  const Skeleton& skeleton = character.skeleton;
  PoseLayer layers[kMaxLayers];
  size_t count = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= character.clips.size()) continue;
    sample_clip(character.clips[layer.clip], skeleton, layer.time_seconds, scratch.poses[count]);
    layers[count] = {scratch.poses[count], layer.weight, {}};
    ++count;
  }
  if (count != 1) blend_poses({layers, count}, skeleton.rest_pose, scratch.poses[0]);
}

}  // namespace

void evaluate_crowd(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                    std::span<Matrix3x4> palettes, EvaluationScratch& scratch) {
  const uint32_t palette_size = character.skin.palette_size();
  assert(palette_stride >= palette_size);
  assert(palettes.size() >= instances.size() * palette_stride);
  for (auto& pose : scratch.poses) pose.resize(character.skeleton.joint_count());
  scratch.model_from_joint.resize(character.skeleton.joint_count());

  for (size_t i = 0; i < instances.size(); ++i) {
    evaluate_pose(character, instances[i], scratch);
    walk_hierarchy(character.skeleton, scratch.poses[0], scratch.model_from_joint);
    build_palette(character.skin, scratch.model_from_joint, palettes.subspan(i * palette_stride, palette_size));
  }
}

}  // namespace sinew
