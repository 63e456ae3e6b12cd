#include "scene/arm_overlay.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace sinew::app {
namespace {

constexpr std::string_view kWaves[] = {"wave", "Wave"};
constexpr std::string_view kCalm[] = {"idle", "walk", "Idle", "Walk"};
/// Names of an arm's first joint. The first name that the skeleton has is used, with all joints below that joint.
constexpr std::string_view kArms[] = {"clavicle_r", "upper_arm_r"};

template <size_t N>
bool is_any(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::optional<uint32_t> find_arm(const Skeleton& skeleton) {
  for (const std::string_view name : kArms) {
    if (const auto joint = find_joint(skeleton, name)) return joint;
  }
  return {};
}

/// Parents come before their children: one pass reaches all joints below `root`.
std::vector<float> mask_below(const Skeleton& skeleton, uint32_t root) {
  std::vector<float> mask(skeleton.joint_count(), 0.0f);
  mask[root] = 1;
  for (uint32_t joint = root + 1; joint < mask.size(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    if (parent != kNoJoint) mask[joint] = mask[size_t(parent)];
  }
  return mask;
}

}  // namespace

std::optional<ArmOverlay> find_arm_overlay(const Character& character) {
  const auto arm = find_arm(character.skeleton);
  if (!arm) return {};
  std::optional<uint32_t> wave;
  ArmOverlay overlay;
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].additive) continue;
    if (is_any(character.clips[i].name, kWaves)) wave = i;
    if (is_any(character.clips[i].name, kCalm)) overlay.base_clips.push_back(i);
  }
  if (!wave || overlay.base_clips.empty()) return {};
  overlay.clip = *wave;
  overlay.joint_mask = mask_below(character.skeleton, *arm);
  return overlay;
}

}  // namespace sinew::app
