// Stacks of clips: the share of each clip on each joint; the poses that come out of masks are for tests/animation. And
// the option that adds a layer: keys in any order, names with any characters, and errors that name the wrong word.
#include "viewer/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "must.h"

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

LayerOption parsed(std::string_view option) { return must(parse_layer(option)); }

std::string fault(std::string_view option) {
  const Error error = must_fail(parse_layer(option));
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  return error.message;
}

TEST(LayerOption, KeysComeInAnyOrderAndNamesContainAnyCharacter) {
  const ViewLayer added{.weight = 0.25f, .mode = LayerMode::kAdditive, .seconds = 1.5};
  const struct {
    const char *option, *clip;
    std::optional<std::string> joint;
    ViewLayer layer;
  } kRows[] = {
      {"clip=Wave", "Wave", {}, {}},
      {"clip=Wave,joint=spine,weight=0.25,mode=additive,time=1.5", "Wave", "spine", added},
      {"time=1.5,mode=additive,weight=0.25,joint=spine,clip=Wave", "Wave", "spine", added},
      {"mode=override,clip=a,weight=0", "a", {}, {.weight = 0}},
      {"joint=mixamorig:Spine,clip=A|a=b,c=d,weight,weight=1", "A|a=b,c=d,weight", "mixamorig:Spine", {}},
      {"clip=a,", "a,", {}, {}},
  };
  for (const auto& row : kRows) {
    const LayerOption words = parsed(row.option);
    EXPECT_EQ(words.clip, row.clip) << row.option;
    EXPECT_EQ(words.joint, row.joint) << row.option;
    EXPECT_TRUE(words.layer == row.layer) << row.option;
  }
}

TEST(LayerOption, ErrorsNameTheWrongWord) {
  const std::string unknown = "; the keys are clip, joint, weight, mode, time";
  const std::pair<const char*, std::string> kRows[] = {
      {"speed=2,clip=a", "unknown key \"speed\"" + unknown},
      {"weight=1,speed=2,clip=a", "unknown key \"speed\"" + unknown},
      {"Clip=a", "unknown key \"Clip\"" + unknown},
      {"clip=a,weight=1,clip=b", "the key \"clip\" is there twice"},
      {"clip=a,mode=replace", "mode: \"replace\" is not override or additive"},
      {"joint=spine", "clip=NAME is missing"},
      {"clip=", "clip: the name is missing"},
      {"clip=a,joint=", "joint: the name is missing"},
      {"", "\"\" is not KEY=VALUE"},
      {"Wave", "\"Wave\" is not KEY=VALUE"},
      {"weight=1,Wave,clip=a", "\"Wave\" is not KEY=VALUE"},
      {"weight=1,", "\"\" is not KEY=VALUE"},
  };
  for (const auto& [option, message] : kRows) EXPECT_EQ(fault(option), message) << option;
}

TEST(LayerOption, NumbersAreStrict) {
  for (const char* word : {"", "1.5", "-0.1", "nan", "inf", "0.5x", " 1", "0x1", "half"}) {
    EXPECT_EQ(fault("clip=a,weight=" + std::string(word)),
              "weight: \"" + std::string(word) + "\" is not a number from 0 to 1");
  }
  for (const char* word : {"", "-1", "nan", "inf", "2e6", "1s"}) {
    EXPECT_EQ(fault("time=" + std::string(word) + ",clip=a"),
              "time: \"" + std::string(word) + "\" is not a number from 0 to 1e+06, nor phase");
  }
}

TEST(LayerOption, TimeMayBeThePhaseOfTheBaseClip) {
  EXPECT_TRUE(parsed("time=phase,clip=a").layer.in_phase);
  EXPECT_FALSE(parsed("clip=a,time=2").layer.in_phase);
  EXPECT_FALSE(parsed("clip=a").layer.in_phase);
}

TEST(LayerOption, NamesAreLookedUpInTheCharacter) {
  Character character;
  for (const char* name : {"Idle", "Wave"}) character.clips.emplace_back().name = name;
  character.skeleton.joint_names = {"root", "spine"};
  character.skeleton.parents = {kNoJoint, 0};
  const auto layer = must(resolve_layer(parsed("clip=wave,joint=Spine,weight=0.5,mode=additive,time=2"), character));
  EXPECT_TRUE(layer == (ViewLayer{.clip = 1, .weight = 0.5f, .joint = 1, .mode = LayerMode::kAdditive, .seconds = 2}));
  EXPECT_EQ(resolve_layer(parsed("clip=Idle"), character)->joint, kNoJoint);
  EXPECT_EQ(resolve_layer(parsed("clip=Waves"), character).error().message,
            "no clip \"Waves\"; nearest: \"Wave\", \"Idle\"");
  EXPECT_EQ(resolve_layer(parsed("clip=Wave,joint=hips"), character).error().message,
            "no joint \"hips\"; nearest: \"spine\", \"root\"");
}

}  // namespace
}  // namespace sinew::app
