// Stacks of clips: the share of each clip on each joint. The poses that come out of masks are for tests/animation.
#include "viewer/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <tuple>
#include <vector>

namespace sinew::app {
namespace {

using Masks = std::array<NamedMask, kMaxLayers>;

/// Joints 0 to 5; 1 is above 2 and 3, 4 is above 5.
Skeleton make_skeleton() {
  Skeleton skeleton;
  skeleton.parents = {kNoJoint, 0, 1, 1, 0, 4};
  skeleton.joint_names.resize(6), skeleton.rest_pose.resize(6);
  return skeleton;
}

TEST(JointsBelow, AreTheJointAndItsDescendants) {
  Skeleton skeleton = make_skeleton();
  const std::tuple<int32_t, uint32_t, uint32_t> kRows[] = {{kNoJoint, 0, 6}, {0, 0, 6}, {1, 1, 4}, {2, 2, 3},
                                                           {3, 3, 4},        {5, 5, 6}, {6, 0, 0}};
  for (const auto& [joint, begin, end] : kRows) {
    EXPECT_EQ(joints_below(skeleton, joint).begin, begin) << joint;
    EXPECT_EQ(joints_below(skeleton, joint).end, end) << joint;
  }
  skeleton.parents[4] = kNoJoint;
  EXPECT_EQ(joints_below(skeleton, 0).end, 4u) << "at another root";
}

struct Stacked {
  explicit Stacked(std::vector<StackedClip> stack) {
    const Skeleton skeleton = make_skeleton();
    for (auto& mask : masks) mask.factors.resize(skeleton.joint_count(), 7.0f);
    playback = playback_of(skeleton, stack, masks);
  }

  std::vector<float> shares(size_t layer) const {
    const Layer& each = playback.layers[layer];
    EXPECT_TRUE(each.mask == 0 || each.mask == layer + 1);
    std::vector<float> result(6, each.weight);
    for (size_t joint = 0; joint < 6 && each.mask != 0; ++joint) result[joint] *= masks[each.mask - 1].factors[joint];
    return result;
  }

  Masks masks;
  Playback playback;
};

/// What the stack makes of one number per clip: each clip in its turn replaces, or adds to, the number below it.
double in_turn(const std::vector<StackedClip>& stack, const std::vector<double>& values, uint32_t joint) {
  const Skeleton skeleton = make_skeleton();
  double value = 0;
  for (size_t i = 0; i < stack.size(); ++i) {
    bool masked_in = stack[i].joint == kNoJoint;
    for (int32_t above = int32_t(joint); above != kNoJoint; above = skeleton.parents[size_t(above)])
      masked_in = masked_in || above == stack[i].joint;
    const double weight = masked_in ? double(stack[i].weight) : 0;
    value =
        stack[i].mode == LayerMode::kAdditive ? value + weight * values[i] : value * (1 - weight) + weight * values[i];
  }
  return value;
}

/// A layer has a mask only where its share differs from joint to joint.
TEST(PlaybackOf, SharesAreThoseOfClipsThatReplaceEachOtherInTurn) {
  std::mt19937 random{5};
  std::uniform_real_distribution<float> unit(0, 1);
  const float weights[] = {0, 1, 0.5f};
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    std::vector<StackedClip> stack{{3, unit(random), 1}};
    std::vector<double> values{unit(random)};
    for (uint32_t i = 1; i < 1 + random() % 4; ++i) {
      const uint32_t choice = random() % 6;
      stack.push_back({i, unit(random), choice < 3 ? weights[choice] : unit(random), int32_t(random() % 7) - 1,
                       random() % 4 == 0 ? LayerMode::kAdditive : LayerMode::kOverride});
      values.push_back(unit(random));
    }
    const Stacked stacked(stack);
    std::vector<double> sums(6), overriding(6);
    for (size_t i = 0; i < kMaxLayers; ++i) {
      const Layer& layer = stacked.playback.layers[i];
      if (i >= stack.size()) {
        EXPECT_EQ(layer.weight, 0);
        continue;
      }
      EXPECT_EQ(layer.clip, stack[i].clip);
      EXPECT_EQ(layer.time_seconds, stack[i].time_seconds);
      const std::vector<float> shares = stacked.shares(i);
      EXPECT_EQ(layer.mask == 0, std::ranges::adjacent_find(shares, std::not_equal_to<>()) == shares.end());
      for (size_t joint = 0; joint < 6; ++joint) {
        sums[joint] += double(shares[joint]) * values[i];
        if (stack[i].mode == LayerMode::kOverride) overriding[joint] += double(shares[joint]);
      }
    }
    for (uint32_t joint = 0; joint < 6; ++joint) {
      EXPECT_NEAR(sums[joint], in_turn(stack, values, joint), 1e-6) << joint;
      EXPECT_NEAR(overriding[joint], 1, 1e-6) << joint;
    }
  }
}

}  // namespace
}  // namespace sinew::app
