#include "view/layers.h"

#include <algorithm>
#include <cassert>

namespace sinew::app {
namespace {

float weight_on(const StackedClip& clip, const JointRange& joints, uint32_t joint) {
  return joints.contains(joint) ? limited_weight(clip.weight) : 0;
}

}  // namespace

float limited_weight(float weight) { return weight > 0 ? std::min(weight, 1.0f) : 0; }

JointRange joints_below(const Skeleton& skeleton, int32_t joint) {
  const uint32_t count = skeleton.joint_count();
  if (joint < 0) return {0, count};
  if (uint32_t(joint) >= count) return {};
  // Joints are in depth-first order: the first that follows with a parent before `joint` is not below it.
  uint32_t end = uint32_t(joint) + 1;
  while (end < count && skeleton.parents[end] >= joint) ++end;
  return {uint32_t(joint), end};
}

Playback playback_of(const Skeleton& skeleton, std::span<const StackedClip> stack,
                     std::span<std::vector<float>> masks) {
  assert(stack.size() <= kMaxLayers && masks.size() == kMaxLayers);
  JointRange joints[kMaxLayers];
  for (size_t i = 0; i < stack.size(); ++i) joints[i] = joints_below(skeleton, stack[i].joint);
  Playback playback;
  for (size_t i = 0; i < stack.size(); ++i) {
    std::vector<float>& shares = masks[i];
    for (uint32_t joint = 0; joint < shares.size(); ++joint) {
      shares[joint] = weight_on(stack[i], joints[i], joint);
      for (size_t above = i + 1; above < stack.size(); ++above) {
        if (stack[above].mode == LayerMode::kOverride)
          shares[joint] *= 1 - weight_on(stack[above], joints[above], joint);
      }
    }
    playback.layers[i] = {stack[i].clip, stack[i].time_seconds, 1, uint32_t(i + 1)};
    const auto differs = [&](float share) { return share != shares.front(); };
    if (!shares.empty() && std::none_of(shares.begin(), shares.end(), differs)) {
      playback.layers[i].weight = shares.front();
      playback.layers[i].mask = 0;
    }
  }
  return playback;
}

}  // namespace sinew::app
