// Morph weights: sampled from keys, baked, blended, and evaluated for crowds.
#include "sinew/animation/weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rig.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "threads.h"

namespace sinew::test {
namespace {

constexpr uint32_t kTargets = 300;  // more than are summed at once

/// One joint, a triangle 1.8 m wide, targets that move a vertex by 1 m, and clips with different weight tracks.
Character face() {
  Character character = random_rig({.joints = 1, .clips = 3});
  Mesh& mesh = character.mesh = triangle(1.8f);
  character.skeleton.model_from_root = {};
  character.skeleton.rest_pose = {{}};
  character.skin.entries = {{0, {}}};
  for (uint32_t t = 0; t < kTargets; ++t) {
    mesh.targets.push_back({"target " + std::to_string(t), t % 7 == 0 ? 0.5f : 0, {t % 3}, {{0, 0, 1}}, {}, {}});
  }
  character.clips[0].weights = {{0, {{0.1f, 0.4f, 0.9f}, {0, 1, -0.5f}, Interpolation::kLinear}},
                                {7, {{0.2f, 0.6f}, {0.25f, 0.75f}, Interpolation::kStep}},
                                {299, {{0, 1}, {0, 0, 2, 1, 1, 0}, Interpolation::kCubic}}};
  character.clips[1].weights = {{7, {{0, 0.5f, 1}, {1, 0, 1}, Interpolation::kLinear}}};
  character.clips[2].tracks.clear();
  character.clips[2].additive = true;
  character.clips[2].weights = {{0, {{0, 1}, {0, 1}, Interpolation::kLinear}}};
  EXPECT_TRUE(validate(character));
  return character;
}

std::vector<float> exact(const Character& character, const Playback& playback) {
  std::vector<float> weights(kTargets);
  EXPECT_TRUE(evaluate_weights_exact(character, {&playback, 1}, kTargets, weights));
  return weights;
}

TEST(Weights, AreSampledByTheirInterpolation) {
  Character character = face();
  std::vector<float> weights(kTargets);
  const auto at = [&](uint32_t target, float time) {
    sample_weights(character.clips[0], character.mesh.targets, time, weights);
    return weights[target];
  };
  EXPECT_EQ(at(0, -1), 0);
  EXPECT_FLOAT_EQ(at(0, 0.25f), 0.5f);
  EXPECT_EQ(at(0, 2), -0.5f);
  EXPECT_EQ(at(7, 0.59f), 0.25f);
  EXPECT_EQ(at(7, 0.6f), 0.75f);
  // Hermite: from 0 with slope 2 to 1 with slope 1, half way.
  EXPECT_FLOAT_EQ(at(299, 0.5f), 0.5f * 0 + 0.125f * 2 + 0.5f * 1 - 0.125f * 1);
  EXPECT_EQ(at(14, 0.5f), 0.5f) << "the rest weight";
  EXPECT_EQ(at(1, 0.5f), 0);
  sample_weights(character.clips[2], character.mesh.targets, 0.25f, weights);
  EXPECT_EQ(weights[0], 0.25f);
  EXPECT_EQ(weights[14], 0) << "no difference";
  character.clips[0].weights = {{7, {}}};
  EXPECT_EQ(at(7, 0.5f), 0.5f) << "without keys, at rest";
}

TEST(Weights, AreTheMeanOfLayersPlusAdditiveLayers) {
  const Character character = face();
  EXPECT_EQ(exact(character, {})[7], 0.5f) << "no layer: at rest";
  EXPECT_FLOAT_EQ(exact(character, {{{1, 0.25f, 2}}})[7], 0.5f);
  // Clip 0 gives 0.75, clip 1 gives 0.4; 3 to 1.
  EXPECT_FLOAT_EQ(exact(character, {{{0, 0.7f, 3}, {1, 0.3f, 1}}})[7], 0.75f * 0.75f + 0.25f * 0.4f);
  // Clip 1 has no track for target 0: its rest weight counts.
  EXPECT_FLOAT_EQ(exact(character, {{{0, 0.4f, 1}, {1, 0.3f, 1}}})[0], 0.5f * 1 + 0.5f * 0.5f);
  EXPECT_FLOAT_EQ(exact(character, {{{0, 0.4f, 1}, {2, 0.5f, 0.5f}}})[0], 1 + 0.5f * 0.5f);
  EXPECT_FLOAT_EQ(exact(character, {{{2, 0.5f, 9}}})[0], 0.5f + 0.5f) << "rest, and a share of at most 1";
  EXPECT_FLOAT_EQ(exact(character, {{{99, 0.5f, 1}, {1, 0.25f, NAN}, {1, 0.25f, -1}}})[7], 0.5f) << "ignored";
  EXPECT_FLOAT_EQ(exact(character, {{{0, 0.7f, 3e38f}, {1, 0.3f, 3e38f}}})[7], 0.5f * (0.75f + 0.4f)) << "no overflow";
}

TEST(Weights, OfInfiniteLayersAreTheirMean) {
  const Character character = face();
  const BakedCharacter baked = *bake(character);
  const Playback infinite{{{0, 0.7f, INFINITY}, {1, 0.3f, INFINITY}, {1, 0, 1}}};
  const float mean = 0.5f * (0.75f + 0.4f);
  EXPECT_NEAR(exact(character, infinite)[7], mean, 1e-6);
  std::vector<float> weights(kTargets);
  ASSERT_TRUE(evaluate_weights(baked, {&infinite, 1}, kTargets, weights));
  EXPECT_NEAR(weights[7], mean, 1e-3);
}

/// Clips that this character lacks, as playbacks of another character's player have them.
TEST(Weights, AndBoundsIgnoreClipsOfAnotherCharacter) {
  const Character character = face();
  const BakedCharacter baked = *bake(character);
  const CharacterBounds bounds = *measure_bounds(character, baked);
  for (const uint32_t clip : {3u, 77u, UINT32_MAX}) {
    const Playback other{{{clip, 0.4f, 1, 9}, {0, 0.4f, 1, 9}, {clip, 0.4f, 3}}}, meant{{{0, 0.4f, 1}}};
    EXPECT_EQ(exact(character, other), exact(character, meant));
    std::vector<float> weights(kTargets), expected(kTargets);
    ASSERT_TRUE(evaluate_weights(baked, {&other, 1}, kTargets, weights));
    ASSERT_TRUE(evaluate_weights(baked, {&meant, 1}, kTargets, expected));
    EXPECT_EQ(weights, expected);
    const Box box = bounds_of(bounds, baked, other), clip_box = bounds_of(bounds, baked, meant);
    EXPECT_EQ(length(box.low - clip_box.low) + length(box.high - clip_box.high), 0);
  }
}

/// Random playbacks, some with times outside their clips.
std::vector<Playback> random_playbacks(size_t count) {
  std::mt19937 random(7);
  const auto between = [&](float low, float high) { return low + (high - low) * float(random() % 10000) / 10000; };
  std::vector<Playback> playbacks(count);
  for (Playback& playback : playbacks) {
    for (Layer& layer : playback.layers) layer = {uint32_t(random() % 4), between(-0.2f, 1.2f), between(-0.5f, 1)};
  }
  return playbacks;
}

TEST(Weights, OfABakeAreWithinTheirError) {
  const Character character = face();
  const auto baked = bake(character);
  ASSERT_TRUE(baked) << baked.error().message;
  ASSERT_TRUE(validate(*baked));
  ASSERT_TRUE(validate(*baked, character));
  for (const BakedWeights& weights : baked->clip_weights) EXPECT_LE(weights.error, BakeOptions().max_error);
  const std::vector<Playback> playbacks = random_playbacks(999);
  constexpr uint32_t kStride = kTargets + 5;
  std::vector<float> crowd(playbacks.size() * kStride, NAN), alone(crowd), on_one_thread(crowd);
  uint32_t threads = 3;
  ASSERT_TRUE(evaluate_weights(*baked, playbacks, kStride, crowd, on_threads(threads)));
  ASSERT_TRUE(evaluate_weights(*baked, playbacks, kStride, on_one_thread));
  ASSERT_TRUE(evaluate_weights_exact(character, playbacks, kStride, alone));
  // Each target moves a vertex by 1 m, so errors of weights are meters; additive layers add theirs.
  for (size_t i = 0; i < crowd.size(); ++i) {
    if (i % kStride < kTargets) {
      ASSERT_LE(std::abs(crowd[i] - alone[i]), kMaxLayers * BakeOptions().max_error) << i;
      ASSERT_EQ(crowd[i], on_one_thread[i]) << i;
    } else {
      ASSERT_TRUE(std::isnan(crowd[i]) && std::isnan(alone[i])) << "written between instances";
    }
  }
}

TEST(Weights, OfABakeHaveFramesOnKeysThatNoEqualStepsMeet) {
  Character character = face();
  for (Clip& clip : character.clips) clip.tracks.clear();
  character.clips[1].weights = {{7, {{0, 0.1234567f, 0.7771f, 1}, {0, 1, -1, 0.5f}, Interpolation::kLinear}}};
  for (Clip& clip : character.clips) set_time_range(clip);
  const auto baked = bake(character, {.max_error = 1e-6f});
  ASSERT_TRUE(baked) << baked.error().message;
  EXPECT_LE(baked->clip_weights[1].error, 1e-6f);
  EXPECT_LT(baked->clip_weights[1].times.frame_count, 50u);
}

/// What no frames store well enough is stored by the best that were tried. Dense keys have no frames of their own, and
/// a smooth curve has fewer than the highest rate.
TEST(Weights, OfABakeThatCannotBeExactAreTheBest) {
  Character character = face();
  for (Clip& clip : character.clips) clip.tracks.clear();
  Track<float> dense{{}, {}, Interpolation::kLinear};
  for (int key = 0; key < 400; ++key) {
    dense.times_seconds.push_back(float(key + 0.4 * std::sin(key)) / 400);
    dense.values.push_back(float(std::sin(2.0 * key)));
  }
  character.clips[0].weights = {{0, {{0, 1}, {0, 0, 2, 1, 1, 0}, Interpolation::kCubic}}};
  character.clips[1].weights = {{7, dense}};
  for (Clip& clip : character.clips) set_time_range(clip);
  const auto baked = bake(character, {.max_error = 1e-9f});
  ASSERT_TRUE(baked) << baked.error().message;
  EXPECT_TRUE(validate(*baked, character));
  for (const uint32_t clip : {0u, 1u}) {
    const BakedWeights& weights = baked->clip_weights[clip];
    EXPECT_GT(weights.error, 1e-9f) << "clip " << clip;
    EXPECT_GE(weights.times.frame_count, 240 * character.clips[clip].duration_seconds()) << "clip " << clip;
  }
}

TEST(Weights, AreRefusedWithoutRoom) {
  const Character character = face();
  const auto baked = bake(character);
  ASSERT_TRUE(baked);
  const std::vector<Playback> playbacks(2);
  std::vector<float> weights(2 * kTargets + 1, NAN);
  const auto expect = [&](const Status& status, const char* message) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(status.error().message, message);
    EXPECT_TRUE(std::isnan(weights[0])) << "nothing is written";
  };
  const char* stride = "300 morph weights do not fit a stride of 299";
  expect(evaluate_weights(*baked, playbacks, kTargets - 1, weights), stride);
  expect(evaluate_weights_exact(character, playbacks, kTargets - 1, weights), stride);
  const char* room = "weights: there is room for 601, and 2 instances need 602";
  expect(evaluate_weights(*baked, playbacks, kTargets + 2, weights), room);
  expect(evaluate_weights_exact(character, playbacks, kTargets + 2, weights), room);
  EXPECT_TRUE(evaluate_weights(*baked, playbacks, kTargets + 1, weights)) << "the last instance needs no more";
}

TEST(Weights, OfAnAdditiveClipAreDifferences) {
  const Character character = face();
  std::vector<float> rest;
  for (const MorphTarget& target : character.mesh.targets) rest.push_back(target.rest_weight);
  const auto additive = make_additive(character.clips[1], character.skeleton, character.skeleton.rest_pose, rest);
  ASSERT_TRUE(additive) << additive.error().message;
  EXPECT_EQ(additive->weights[0].weight.values, (std::vector<float>{0.5f, -0.5f, 0.5f}));
  const auto plain = make_additive(character.clips[1], character.skeleton, character.skeleton.rest_pose);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->weights[0].weight.values, character.clips[1].weights[0].weight.values);
  rest.resize(3);
  EXPECT_FALSE(make_additive(character.clips[1], character.skeleton, character.skeleton.rest_pose, rest));
}

TEST(Weights, ExtendTheBoundsOfAClip) {
  Character character = face();
  const auto baked = bake(character);
  ASSERT_TRUE(baked);
  const auto bounds = measure_bounds(character, *baked);
  ASSERT_TRUE(bounds) << bounds.error().message;
  EvaluationScratch scratch;
  std::vector<float> weights(kTargets);
  std::vector<Vec3> positions(3), normals(3);
  std::vector<Matrix3x4> palette(1);
  for (const Playback& playback : random_playbacks(300)) {
    ASSERT_TRUE(evaluate_exact(character, {&playback, 1}, 1, palette, scratch));
    ASSERT_TRUE(evaluate_weights(*baked, {&playback, 1}, kTargets, weights));
    skin_on_cpu(character.mesh, palette, positions, normals, {}, weights);
    const Box box = bounds_of(*bounds, *baked, playback);
    for (const Vec3 p : positions) {
      const Vec3 inside = max(box.low, min(box.high, p));
      ASSERT_LE(length(p - inside), 1e-3f) << p.x << " " << p.y << " " << p.z;
    }
  }
}

TEST(Weights, MakeABakeOfTooManyFail) {
  Character character = face();
  character.clips[0].tracks.clear();
  character.clips[0].weights.clear();
  for (uint32_t t = 0; t < kTargets; ++t) {
    character.clips[0].weights.push_back({t, {{0, 4000}, {0, 1}, Interpolation::kLinear}});
  }
  set_time_range(character.clips[0]);
  const auto baked = bake(character);
  ASSERT_FALSE(baked);
  EXPECT_EQ(baked.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(baked.error().message, "bake: clip '" + character.clips[0].name +
                                       "' makes 36000300 morph weights or more, above a limit of all clips together");
}

}  // namespace
}  // namespace sinew::test
