// Stacks of clips: the share of each clip on each joint, and the poses that come out of both evaluators.
#include "viewer/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <tuple>

#include "animation/rig.h"
#include "child.h"
#include "scene/baking.h"
#include "scene/exact_poses.h"
#include "scene/load.h"
#include "scene/names.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/pose.h"
#include "viewer/playing.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre;

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

  float share(size_t layer, uint32_t joint) const {
    const Layer& each = playback.layers[layer];
    EXPECT_TRUE(each.mask == 0 || each.mask == layer + 1);
    return each.mask == 0 ? each.weight : each.weight * masks[each.mask - 1].factors[joint];
  }

  std::vector<float> shares(size_t layer) const {
    std::vector<float> result;
    for (uint32_t joint = 0; joint < 6; ++joint) result.push_back(share(layer, joint));
    return result;
  }

  Masks masks;
  Playback playback;
};

TEST(PlaybackOf, OneClipHasItsWeightAndNoMask) {
  const Stacked stacked({{3, 0.5f}});
  EXPECT_EQ(stacked.playback.layers[0].clip, 3u);
  EXPECT_EQ(stacked.playback.layers[0].time_seconds, 0.5f);
  EXPECT_EQ(stacked.playback.layers[0].weight, 1);
  EXPECT_EQ(stacked.playback.layers[0].mask, 0u);
  for (size_t i = 1; i < kMaxLayers; ++i) EXPECT_EQ(stacked.playback.layers[i].weight, 0);
}

TEST(PlaybackOf, OverrideOfAllJointsNeedsNoMask) {
  const Stacked full({{0}, {1}}), half({{0}, {1, 0, 0.25f}}), none({{0}, {1, 0, 0, 2}});
  EXPECT_THAT(full.shares(0), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(full.playback.layers[0].mask, 0u);
  EXPECT_EQ(half.playback.layers[0].weight, 0.75f);
  EXPECT_EQ(half.playback.layers[1].weight, 0.25f);
  EXPECT_EQ(none.playback.layers[0].weight, 1);
  EXPECT_EQ(none.playback.layers[0].mask, 0u);
  EXPECT_EQ(none.playback.layers[1].weight, 0);
}

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

TEST(PlaybackOf, SharesAreThoseOfClipsThatReplaceEachOtherInTurn) {
  std::mt19937 random{5};
  std::uniform_real_distribution<float> unit(0, 1);
  const float weights[] = {0, 1, 0.5f};
  for (int round = 0; round < 500; ++round) {
    std::vector<StackedClip> stack{{0, 0, 1}};
    std::vector<double> values{unit(random)};
    for (uint32_t i = 1; i < 2 + random() % 3; ++i) {
      const uint32_t choice = random() % 6;
      stack.push_back({i, 0, choice < 3 ? weights[choice] : unit(random), int32_t(random() % 7) - 1,
                       random() % 4 == 0 ? LayerMode::kAdditive : LayerMode::kOverride});
      values.push_back(unit(random));
    }
    const Stacked stacked(stack);
    for (uint32_t joint = 0; joint < 6; ++joint) {
      double sum = 0, overriding = 0;
      for (size_t i = 0; i < stack.size(); ++i) {
        sum += stacked.share(i, joint) * values[i];
        if (stack[i].mode == LayerMode::kOverride) overriding += stacked.share(i, joint);
      }
      EXPECT_NEAR(sum, in_turn(stack, values, joint), 1e-6) << "round " << round << ", joint " << joint;
      EXPECT_NEAR(overriding, 1, 1e-6);
    }
  }
}

/// The mean of two local transforms, worked out in double precision.
Transform mix(const Transform& a, const Transform& b, double share) {
  const auto between = [&](double x, double y) { return x * (1 - share) + y * share; };
  const double sign = dot(a.rotation, b.rotation) < 0 ? -1 : 1;
  const double q[] = {between(a.rotation.x, sign * b.rotation.x), between(a.rotation.y, sign * b.rotation.y),
                      between(a.rotation.z, sign * b.rotation.z), between(a.rotation.w, sign * b.rotation.w)};
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const auto vector = [&](Vec3 x, Vec3 y) {
    return Vec3{float(between(x.x, y.x)), float(between(x.y, y.y)), float(between(x.z, y.z))};
  };
  return {vector(a.translation, b.translation),
          {float(q[0] / size), float(q[1] / size), float(q[2] / size), float(q[3] / size)},
          vector(a.scale, b.scale)};
}

class Knight : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = test::shared("models/kaykit/Knight.glb");
    SINEW_SKIP_WITHOUT(path);
    character = must(load_file(path, {})).character;
    run = *find_clip_by_name(character.clips, "Running_A");
    shoot = *find_clip_by_name(character.clips, "1H_Ranged_Shoot");
    spine = int32_t(*find_joint_by_name(character.skeleton, "spine"));
    for (auto& mask : masks) mask.factors.resize(character.skeleton.joint_count());
  }

  std::vector<Transform> sampled(uint32_t clip, float seconds) const {
    std::vector<Transform> pose(character.skeleton.joint_count());
    sample_clip(character.clips[clip], character.skeleton, seconds, pose);
    return pose;
  }

  /// The largest distance between two palettes in model units.
  double distance(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) const {
    return test::largest_distance(character, a, b, 0.1);
  }

  std::vector<Matrix3x4> palette_of(const std::vector<Transform>& pose) const {
    std::vector<Matrix3x4d> model_from_joint(pose.size());
    walk_hierarchy(character.skeleton, pose, model_from_joint);
    std::vector<Matrix3x4> palette(character.skin.palette_size());
    build_palette(character.skin, model_from_joint, palette);
    return palette;
  }

  Character character;
  uint32_t run = 0, shoot = 0;
  int32_t spine = 0;
  Masks masks;
};

TEST_F(Knight, RunsAndShootsAsEachJointOfTheStagesDoes) {
  for (const float weight : {0.0f, 0.35f, 1.0f}) {
    for (const int32_t joint : {spine, kNoJoint}) {
      const Playback playback =
          playback_of(character.skeleton, std::vector<StackedClip>{{run, 0.3f}, {shoot, 0.7f, weight, joint}}, masks);
      std::vector<Transform> pose = sampled(run, 0.3f);
      const std::vector<Transform> over = sampled(shoot, 0.7f);
      const JointRange joints = joints_below(character.skeleton, joint);
      for (uint32_t j = joints.begin; j < joints.end; ++j)
        pose[j] = weight == 1 ? over[j] : mix(pose[j], over[j], weight);
      EXPECT_LT(distance(exact_palette(character, character.skin, playback, masks), palette_of(pose)), 2e-6) << weight;
    }
  }
  const auto running = palette_of(sampled(run, 0.3f)), shooting = palette_of(sampled(shoot, 0.7f));
  EXPECT_GT(distance(running, shooting), 0.1) << "the clips are too similar to tell them apart";
}

TEST_F(Knight, AdditiveLayerIsAddedOnItsJoints) {
  DerivedClips derived(character);
  const uint32_t additive = *derived.additive(shoot);
  for (const float weight : {0.5f, 1.0f}) {
    const Playback playback = playback_of(
        character.skeleton,
        std::vector<StackedClip>{{run, 0.3f}, {additive, 0.7f, weight, spine, LayerMode::kAdditive}}, masks);
    std::vector<Transform> pose = sampled(run, 0.3f);
    const std::vector<Transform> first = sampled(shoot, character.clips[shoot].start_seconds),
                                 now = sampled(shoot, 0.7f);
    const JointRange joints = joints_below(character.skeleton, spine);
    for (uint32_t j = joints.begin; j < joints.end; ++j) {
      const Quat q = first[j].rotation, back{-q.x, -q.y, -q.z, q.w};
      pose[j].translation = pose[j].translation + (now[j].translation - first[j].translation) * weight;
      pose[j].rotation = pose[j].rotation * mix({}, {{}, back * now[j].rotation, {1, 1, 1}}, weight).rotation;
    }
    EXPECT_LT(distance(exact_palette(character, character.skin, playback, masks), palette_of(pose)), 1e-5) << weight;
  }
  EXPECT_EQ(*derived.additive(shoot), additive);
}

TEST_F(Knight, CrowdEvaluatorWithMasksOfEachFrameAgreesWithinTheBake) {
  DerivedClips derived(character);
  const uint32_t wave = *derived.additive(*find_clip_by_name(character.clips, "Cheer"));
  Character small = character;  // baking all clips would take most of the test's time
  small.clips = {character.clips[run], character.clips[shoot], character.clips[wave]};
  const auto baked = must(bake(small));
  CrowdEvaluator crowd(baked);
  for (const auto& mask : masks) ASSERT_TRUE(crowd.add_mask(mask.factors));
  test::Palettes palettes(1, small.skin.palette_size());
  for (int frame = 0; frame < 40; ++frame) {
    const float weight = float(frame % 5) / 4, time = 0.02f * float(frame);
    const Playback playback = playback_of(small.skeleton,
                                          std::vector<StackedClip>{{0, time},
                                                                   {1, time, weight, spine},
                                                                   {2, time, 0.5f, spine + 1, LayerMode::kAdditive},
                                                                   {0, 0.8f - time, 0.5f, spine + 2}},
                                          masks);
    for (uint32_t m = 0; m < kMaxLayers; ++m) ASSERT_TRUE(crowd.set_mask(m + 1, masks[m].factors));
    ASSERT_TRUE(crowd.evaluate({&playback, 1}, palettes.stride(), palettes.all()));
    const double error =
        distance_between(measure_of(small, baked), palettes.of(0), exact_palette(small, small.skin, playback, masks));
    EXPECT_LT(error, allowed_error(baked, playback)) << "frame " << frame;
  }
}

}  // namespace
}  // namespace sinew::app
