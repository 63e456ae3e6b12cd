// Masks and additive layers: both evaluators, compared with results worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lanes/lane_code.h"
#include "rig.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;

namespace {

using test::Palettes;
using test::random_rig;
using test::Scaling;

/// Two joints along x, 1 m apart, with one entry each. Every clip gives both joints the same local transform.
struct Arm {
  Character character = random_rig({.joints = 2, .clips = 0, .branching = 0});

  Arm() {
    character.skeleton.model_from_root = {};
    character.skeleton.rest_pose = {{{1, 0, 0}, {}, {1, 1, 1}}, {{1, 0, 0}, {}, {1, 1, 1}}};
    character.skin.entries = {{0, inverse(to_matrix({{1, 0, 0}, {}, {1, 1, 1}}))},
                              {1, inverse(to_matrix({{2, 0, 0}, {}, {1, 1, 1}}))}};
  }

  uint32_t add_pose_clip(const Transform& local) {
    Clip clip{"clip", 0, 0, {}};
    for (uint32_t joint = 0; joint < 2; ++joint) {
      clip.tracks.push_back({joint,
                             {{0}, {local.translation}, Interpolation::kStep},
                             {{0}, {local.rotation}, Interpolation::kStep},
                             {{0}, {local.scale}, Interpolation::kStep}});
    }
    character.clips.push_back(clip);
    return uint32_t(character.clips.size() - 1);
  }

  uint32_t add_additive_clip(const Transform& local) {
    const uint32_t clip = add_pose_clip(local);
    Result<Clip> additive = make_additive(character.clips[clip], character.skeleton, character.skeleton.rest_pose);
    EXPECT_TRUE(additive);
    character.clips[clip] = *additive;
    return clip;
  }

  /// The position of the tip, 1 m from the second joint, by the exact evaluator. Every lane code must agree with it.
  Vec3 tip(const Playback& playback, std::span<const std::vector<float>> masks = {}) {
    Palettes exact = test::evaluate_exact(character, {&playback, 1}, masks);
    const Result<BakedCharacter> baked = bake(character);
    EXPECT_TRUE(baked);
    for (const LaneCode& lane_code : available_lane_code()) {
      CrowdEvaluator crowd(*baked, lane_code.name);
      for (const auto& mask : masks) EXPECT_TRUE(crowd.add_mask(mask));
      Palettes fast(1, 2);
      EXPECT_TRUE(crowd.evaluate({&playback, 1}, fast.stride(), fast.all()));
      EXPECT_LT(test::largest_distance(character, exact.of(0), fast.of(0), 0.1), 1e-5) << lane_code.name;
    }
    return transform_point(exact.of(0)[1], {3, 0, 0});
  }
};

void expect_at(Vec3 p, double x, double y) {
  EXPECT_NEAR(p.x, x, 1e-5);
  EXPECT_NEAR(p.y, y, 1e-5);
}

TEST(Masks, SelectTheJointsOfALayer) {
  Arm arm;
  const uint32_t still = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t quarter = arm.add_pose_clip({{1, 0, 0}, test::about_z(std::numbers::pi / 2), {1, 1, 1}});
  const std::vector<std::vector<float>> masks = {{1, 0}, {0, 1}};
  expect_at(arm.tip({{{still, 0, 1, 1}, {quarter, 0, 1, 2}}}, masks), 2, 1);  // the second joint rotates
  expect_at(arm.tip({{{quarter, 0, 1, 1}, {still, 0, 1, 2}}}, masks), 1, 2);  // the first joint rotates
  expect_at(arm.tip({{{quarter, 0, 1, 0}, {still, 0, 0, 2}}}, masks), 0, 1);  // both rotate: no other weight
}

TEST(Masks, MultiplyTheWeightOfALayer) {
  Arm arm;
  const uint32_t near = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t far = arm.add_pose_clip({{5, 0, 0}, {}, {1, 1, 1}});
  const std::vector<std::vector<float>> masks = {{0.5f, 3}};
  // (1 + 2 * 0.5 * 5) / 2 for the first joint, (1 + 2 * 3 * 5) / 7 for the second.
  expect_at(arm.tip({{{near, 0, 1}, {far, 0, 2, 1}}}, masks), 3 + 31.0 / 7 + 1, 0);
}

TEST(Masks, JointWithoutAnyWeightFollowsTheFirstLayer) {
  Arm arm;
  const uint32_t first = arm.add_pose_clip({{2, 0, 0}, {}, {1, 1, 1}});
  const uint32_t second = arm.add_pose_clip({{7, 0, 0}, {}, {1, 1, 1}});
  const std::vector<std::vector<float>> masks = {{1, 0}};
  expect_at(arm.tip({{{first, 0, 1, 1}, {second, 0, 1, 1}}}, masks), 4.5 + 2 + 1, 0);
  expect_at(arm.tip({{{second, 0, 0.1f, 1}}}, masks), 7 + 7 + 1, 0);
}

TEST(Masks, RotationSignsFollowTheFirstLayerOfNonZeroWeight) {
  Arm arm;
  // The second and third rotation are close, but of opposite sign relative to the first, which the mask leaves out.
  const uint32_t first = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t second = arm.add_pose_clip({{1, 0, 0}, test::about_z(std::numbers::pi - 0.2), {1, 1, 1}});
  const uint32_t third = arm.add_pose_clip({{1, 0, 0}, test::about_z(std::numbers::pi + 0.2), {1, 1, 1}});
  const std::vector<std::vector<float>> masks = {{0, 0}};
  expect_at(arm.tip({{{first, 0, 1, 1}, {second, 0, 1}, {third, 0, 1}}}, masks), 1, 0);
}

TEST(Masks, UnknownMaskNumberMeansAllJoints) {
  Arm arm;
  const uint32_t a = arm.add_pose_clip({{2, 0, 0}, {}, {1, 1, 1}}), b = arm.add_pose_clip({{4, 0, 0}, {}, {1, 1, 1}});
  expect_at(arm.tip({{{a, 0, 1, 99}, {b, 0, 1, 0xffffffff}}}), 7, 0);
}

TEST(Masks, InvalidMasksAreRefused) {
  const Character character = random_rig({.joints = 3});
  const Result<BakedCharacter> baked = bake(character);
  CrowdEvaluator crowd(*baked);
  const auto message = [&](std::vector<float> mask) {
    const Result<uint32_t> number = crowd.add_mask(mask);
    EXPECT_FALSE(number);
    return number ? "" : number.error().message;
  };
  EXPECT_EQ(message({1, 1}), "mask: it has 2 factors for 3 joints");
  EXPECT_EQ(message({}), "mask: it has 0 factors for 3 joints");
  EXPECT_EQ(message({1, -0.5f, 1}), "mask: the factor of joint 1 is -0.500000, not one from 0 to 1e6");
  for (const float bad : {INFINITY, NAN, 2e6f}) EXPECT_NE(message({1, 1, bad}).find("joint 2"), std::string::npos);
  const std::vector<float> good = {0, 1, kMaxMaskFactor};
  EXPECT_EQ(*crowd.add_mask(good), 1u);
  EXPECT_EQ(*crowd.add_mask(good), 2u);
}

TEST(Masks, SetMaskReplacesTheFactorsOfOneMask) {
  Arm arm;
  const uint32_t near = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t far = arm.add_pose_clip({{5, 0, 0}, {}, {1, 1, 1}});
  const Playback playback{{{near, 0, 1, 1}, {far, 0, 1, 2}}};
  const Result<BakedCharacter> baked = bake(arm.character);
  ASSERT_TRUE(baked);
  for (const LaneCode& lane_code : available_lane_code()) {
    CrowdEvaluator crowd(*baked, lane_code.name);
    const std::vector<float> ones(2, 1.0f), first{1, 0}, second{1, 3};
    ASSERT_TRUE(crowd.add_mask(ones));
    ASSERT_TRUE(crowd.add_mask(first));
    const auto tip = [&] {
      Palettes palettes(1, 2);
      EXPECT_TRUE(crowd.evaluate({&playback, 1}, palettes.stride(), palettes.all()));
      return transform_point(palettes.of(0)[1], {3, 0, 0});
    };
    expect_at(tip(), 3 + 1 + 1, 0);  // the second joint follows the first layer alone
    ASSERT_TRUE(crowd.set_mask(2, second));
    expect_at(tip(), 3 + 4 + 1, 0);  // (1 * 1 + 3 * 5) / 4 for the second joint
    ASSERT_TRUE(crowd.set_mask(1, first));
    expect_at(tip(), 3 + 5 + 1, 0);
    EXPECT_EQ(*crowd.add_mask(ones), 3u) << "a mask that is set again has no new number";
  }
}

TEST(Masks, SetMaskRefusesWhatAddMaskRefusesAndUnknownNumbers) {
  Arm arm;
  const uint32_t near = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t far = arm.add_pose_clip({{5, 0, 0}, {}, {1, 1, 1}});
  const Result<BakedCharacter> baked = bake(arm.character);
  CrowdEvaluator crowd(*baked);
  ASSERT_TRUE(crowd.add_mask(std::vector<float>{0, 1}));
  const auto message = [&](uint32_t mask, std::vector<float> factors) {
    const Status status = crowd.set_mask(mask, factors);
    EXPECT_FALSE(status);
    if (status) return std::string();
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    return status.error().message;
  };
  EXPECT_EQ(message(0, {1, 1}), "mask: there is no mask 0, of 1");
  EXPECT_EQ(message(2, {1, 1}), "mask: there is no mask 2, of 1");
  EXPECT_EQ(message(1, {1}), "mask: it has 1 factors for 2 joints");
  for (const float bad : {-1.0f, INFINITY, NAN, 2e6f}) {
    EXPECT_NE(message(1, {1, bad}).find("joint 1"), std::string::npos);
  }
  const Playback playback{{{near, 0, 1}, {far, 0, 1, 1}}};
  Palettes palettes(1, 2);
  ASSERT_TRUE(crowd.evaluate({&playback, 1}, palettes.stride(), palettes.all()));
  expect_at(transform_point(palettes.of(0)[1], {3, 0, 0}), 1 + 3 + 1, 0);  // the mask is still 0, 1
}

TEST(Additive, TranslatesRotatesAndScalesTheBlendedPose) {
  Arm arm;
  const uint32_t base = arm.add_pose_clip({{1, 0, 0}, test::about_z(std::numbers::pi / 2), {1, 1, 1}});
  const uint32_t translation = arm.add_additive_clip({{1, 3, 0}, {}, {1, 1, 1}});
  const uint32_t rotation = arm.add_additive_clip({{1, 0, 0}, test::about_z(std::numbers::pi / 2), {1, 1, 1}});
  const uint32_t scale = arm.add_additive_clip({{1, 0, 0}, {}, {3, 1, 1}});
  expect_at(arm.tip({{{base, 0, 1}}}), 0, 1);
  expect_at(arm.tip({{{base, 0, 1}, {translation, 0, 1}}}), -3, 4);  // first joint: y + 3; second joint: x - 3
  expect_at(arm.tip({{{base, 0, 1}, {translation, 0, 0.5f}}}), -1.5, 2.5);
  expect_at(arm.tip({{{base, 0, 1}, {rotation, 0, 1}}}), 1, 0);  // each joint rotates by 180 degrees
  expect_at(arm.tip({{{base, 0, 1}, {rotation, 0, 0.5f}}}), 1 - std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2 - 1);
  expect_at(arm.tip({{{base, 0, 1}, {scale, 0, 1}}}), -2, 3);  // the second joint and the tip are 3 times as far
}

TEST(Additive, IsAddedAfterTheBlendInTheOrderOfTheLayers) {
  Arm arm;
  const uint32_t a = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}}), b = arm.add_pose_clip({{3, 0, 0}, {}, {1, 1, 1}});
  const uint32_t translation = arm.add_additive_clip({{2, 0, 0}, {}, {1, 1, 1}});
  expect_at(arm.tip({{{translation, 0, 1}, {a, 0, 1}, {b, 0, 1}}}), 7, 0);
  expect_at(arm.tip({{{translation, 0, 1}, {translation, 0, 5}, {a, 0, 9}, {translation, 0, 1}}}), 9, 0);
}

TEST(Additive, WithoutOtherLayersIsAddedToTheRestPose) {
  Arm arm;
  const uint32_t translation = arm.add_additive_clip({{2, 0, 0}, {}, {1, 1, 1}});
  expect_at(arm.tip({{{translation, 0, 1}}}), 5, 0);
  expect_at(arm.tip({{{translation, 0, 1}, {translation, 0, 1}, {translation, 0, 1}, {translation, 0, 1}}}), 11, 0);
}

TEST(Additive, RespectsMasks) {
  Arm arm;
  const uint32_t base = arm.add_pose_clip({{1, 0, 0}, {}, {1, 1, 1}});
  const uint32_t turn = arm.add_additive_clip({{1, 0, 0}, test::about_z(std::numbers::pi / 2), {1, 1, 1}});
  const std::vector<std::vector<float>> masks = {{0, 1}};
  expect_at(arm.tip({{{base, 0, 1}, {turn, 0, 1, 1}}}, masks), 2, 1);
}

TEST(Additive, AddedToItsReferenceRestoresTheClip) {
  const Character character = random_rig({.joints = 6, .clips = 1, .scaling = Scaling::kPerAxis});
  const Clip& clip = character.clips[0];
  std::vector<Transform> first(6), pose(6), sum(6);
  sample_clip(clip, character.skeleton, clip.start_seconds, first);
  const Result<Clip> additive = make_additive(clip, character.skeleton, first);
  ASSERT_TRUE(additive);
  ASSERT_TRUE(validate(*additive, 6));
  for (const float time : {0.0f, 0.33f, 0.5f, 1.0f}) {
    sample_clip(clip, character.skeleton, time, pose);
    std::vector<Transform> difference(6);
    sample_clip(*additive, character.skeleton, time, difference);
    sum = first;
    add_pose({difference, 1, {}}, sum);
    for (size_t j = 0; j < 6; ++j) {
      EXPECT_LT(length(sum[j].translation - pose[j].translation), 1e-6);
      EXPECT_LT(length(sum[j].scale - pose[j].scale), 1e-6);
      EXPECT_NEAR(std::abs(dot(sum[j].rotation, pose[j].rotation)), 1, 1e-6);
    }
  }
}

TEST(Additive, OfCubicTracksHasCubicTracksOfDifferences) {
  Character character = random_rig({.joints = 1, .clips = 0});
  JointTracks tracks;
  tracks.translation = {
      {0, 1}, {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {0, 3, 0}, {2, 0, 0}, {0, 0, 0}}, Interpolation::kCubic};
  tracks.scale = {{0, 1}, {{0, 0, 0}, {2, 2, 2}, {4, 0, 0}, {0, 3, 0}, {6, 2, 2}, {0, 0, 0}}, Interpolation::kCubic};
  Clip clip{"curve", 0, 1, {tracks}};
  const Transform reference{{10, 0, 0}, character.skeleton.rest_pose[0].rotation, {2, 4, 0}};
  const Result<Clip> additive = make_additive(clip, character.skeleton, {&reference, 1});
  ASSERT_TRUE(additive);
  Transform pose, difference;
  sample_clip(clip, character.skeleton, 0.3f, {&pose, 1});
  sample_clip(*additive, character.skeleton, 0.3f, {&difference, 1});
  EXPECT_NEAR(difference.translation.x, pose.translation.x - 10, 1e-5);
  EXPECT_NEAR(difference.translation.y, pose.translation.y, 1e-5);
  EXPECT_NEAR(difference.scale.x, pose.scale.x / 2, 1e-5);
  EXPECT_NEAR(difference.scale.y, pose.scale.y / 4, 1e-5);
  EXPECT_EQ(difference.scale.z, 1) << "the reference has a scale of 0";
  EXPECT_NEAR(difference.rotation.w, 1, 1e-6) << "the rest rotation is the reference rotation";
}

TEST(Additive, ClipsThatDoNotFitAreRefused) {
  const Character character = random_rig({.joints = 3});
  const std::vector<Transform> rest = character.skeleton.rest_pose;
  const auto message = [&](const Clip& clip, std::span<const Transform> reference) {
    const Result<Clip> result = make_additive(clip, character.skeleton, reference);
    EXPECT_FALSE(result);
    return result ? "" : result.error().message;
  };
  EXPECT_NE(message(character.clips[0], std::span(rest).first(2)).find("another skeleton"), std::string::npos);
  EXPECT_NE(message(*make_additive(character.clips[0], character.skeleton, rest), rest).find("already"),
            std::string::npos);
  Clip foreign = character.clips[0];
  foreign.tracks.back().joint = 7;
  EXPECT_NE(message(foreign, rest).find("outside the skeleton"), std::string::npos);
}

/// A rig whose clips 2 and 3 are additive, two random masks, and instances with random layers.
class Layered : public testing::TestWithParam<Scaling> {
 protected:
  Layered() {
    for (size_t clip : {2, 3}) {
      std::vector<Transform> first(character.skeleton.joint_count());
      sample_clip(character.clips[clip], character.skeleton, 0, first);
      character.clips[clip] = *make_additive(character.clips[clip], character.skeleton, first);
    }
    std::uniform_real_distribution<float> factor(0, 2);
    for (std::vector<float>& mask : masks) {
      for (float& each : mask) each = random() % 3 == 0 ? 0 : factor(random);
    }
  }

  std::vector<Playback> instances(size_t count) {
    std::uniform_real_distribution<float> time(0, 1), weight(0.1f, 1.2f);
    std::vector<Playback> result(count);
    for (Playback& playback : result) {
      for (Layer& layer : playback.layers) {
        layer = {uint32_t(random() % 4), time(random), random() % 4 == 0 ? 0 : weight(random), uint32_t(random() % 3)};
      }
    }
    return result;
  }

  std::mt19937 random{1};
  Character character = random_rig({.joints = 23, .clips = 4, .swing = 0.2f, .scaling = GetParam()});
  std::vector<std::vector<float>> masks{std::vector<float>(23), std::vector<float>(23)};
};

INSTANTIATE_TEST_SUITE_P(Layers, Layered, testing::Values(Scaling::kNone, Scaling::kUniform, Scaling::kPerAxis));

TEST_P(Layered, EveryLaneCodeAgreesWithTheExactEvaluator) {
  const Result<BakedCharacter> baked = bake(character);
  ASSERT_TRUE(baked);
  for (const BakedClip& clip : baked->clips) EXPECT_LE(clip.error, BakeOptions().max_error) << clip.name;
  const std::vector<Playback> playbacks = instances(500);
  Palettes exact = test::evaluate_exact(character, playbacks, masks), plain(500, 23);
  for (const LaneCode& lane_code : available_lane_code()) {
    CrowdEvaluator crowd(*baked, lane_code.name);
    for (const auto& mask : masks) ASSERT_TRUE(crowd.add_mask(mask));
    Palettes palettes(500, 23);
    EXPECT_TRUE(crowd.evaluate(playbacks, palettes.stride(), palettes.all()));
    double largest = 0;
    for (size_t i = 0; i < playbacks.size(); ++i) {
      largest = test::larger(largest, test::largest_distance(character, exact.of(i), palettes.of(i), 0.1));
    }
    EXPECT_LT(largest, 5e-4) << lane_code.name;
  }
}

TEST_P(Layered, EveryLaneCodeGivesFiniteMatricesForAnyPlayback) {
  const Result<BakedCharacter> baked = bake(character);
  const float values[] = {0, 1, -1, 1e30f, INFINITY, -INFINITY, NAN, 1e-42f};
  std::vector<Playback> playbacks = instances(2000);
  for (Playback& playback : playbacks) {
    for (Layer& layer : playback.layers) {
      if (random() % 2 == 0) layer.weight = values[random() % 8];
      if (random() % 4 == 0) layer.time_seconds = values[random() % 8];
      if (random() % 8 == 0) layer.mask = 0xffffffff;
      if (random() % 16 == 0) layer.clip = uint32_t(random());
    }
  }
  masks[0].assign(23, kMaxMaskFactor), masks[1].assign(23, 0);
  for (const LaneCode& lane_code : available_lane_code()) {
    CrowdEvaluator crowd(*baked, lane_code.name);
    for (const auto& mask : masks) ASSERT_TRUE(crowd.add_mask(mask));
    Palettes palettes(playbacks.size(), 23), exact = test::evaluate_exact(character, playbacks, masks);
    EXPECT_TRUE(crowd.evaluate(playbacks, palettes.stride(), palettes.all()));
    for (size_t i = 0; i < playbacks.size(); ++i) {
      const double distance = test::largest_distance(character, palettes.of(i), exact.of(i), 0.1);
      ASSERT_TRUE(std::isfinite(distance)) << lane_code.name << ", playback " << i;
    }
  }
}

}  // namespace
}  // namespace sinew
