#include "sinew/animation/bake.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "message.h"
#include "rig.h"

namespace sinew {
namespace {

using test::message_of;
using test::one_joint;
using test::random_rig;
using test::RigOptions;
using test::Scaling;

BakedCharacter baked_of(const Character& character, const BakeOptions& options = {}) {
  Result<BakedCharacter> baked = bake(character, options);
  EXPECT_TRUE(baked) << (baked ? "" : baked.error().message);
  return baked ? std::move(*baked) : BakedCharacter();
}

void expect_within_default_bound(const Character& character) {
  test::expect_stated_errors(character, baked_of(character), BakeOptions().max_error);
}

float x_at(const BakedCharacter& baked, float time_seconds) {
  const Playback playback{{{0, time_seconds, 1}}};
  return test::evaluate_baked(baked, {&playback, 1}).of(0)[0].m[0][3];
}

/// A matrix above the roots, and inverse binds, that are no rotations.
Character with_odd_matrices(Character character, uint32_t kind) {
  std::vector<PaletteEntry>& entries = character.skin.entries;
  Matrix3x4d& root = character.skeleton.model_from_root;
  if (kind == 0) root = to_matrix({{0, 1, 0}, {0, 0.6f, 0, 0.8f}, {1, 0.5f, 0.8f}});
  if (kind == 1) root = to_matrix({{0, 1, 0}, {0, 0.6f, 0, 0.8f}, {-1, 1, 1}});
  if (kind != 2) return character;
  entries[1].joint_from_mesh = to_matrix({{0.1f, 0, 0}, {}, {1, 1, 0}});          // flat
  entries[0].joint_from_mesh = {{{1, 2, 3, 0}, {2, 4, 6, 0.1}, {0, 1, 0, 0}}};    // flat and sheared
  entries[2].joint_from_mesh = to_matrix({{0.1f, 0, 0}, {}, {0, 0, 0}});          // scale 0
  entries[3].joint_from_mesh = to_matrix({{0.2f, 0, 0}, {}, {-1, 1.5f, 0.7f}});   // mirrored
  entries[4].joint_from_mesh = {{{1, 0.5, 0, 0}, {0, 1, 0, 0}, {0, 0.3, 1, 0}}};  // sheared
  return character;
}

/// Joints that have two inverse binds, or none.
Character with_other_entries(Character character) {
  std::vector<PaletteEntry>& entries = character.skin.entries;
  PaletteEntry second = entries[3];
  second.joint_from_mesh = second.joint_from_mesh * to_matrix({{0.3f, 0, 0}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}});
  entries.insert(entries.begin() + 4, second);
  std::erase_if(entries, [](const PaletteEntry& entry) { return entry.joint == 1 || entry.joint == 5; });
  entries.insert(entries.begin(), {kNoJoint, to_matrix({{5, 6, 7}, {0, 0, 0.6f, 0.8f}, {1, 1, 1}})});
  return character;
}

/// A clip in which a joint's scale goes through zero, and one without tracks.
Character with_odd_clips(Character character) {
  character.clips[0].tracks[1].scale = {{0, 0.5f, 1}, {{1, 1, 1}, {0, 0, 0}, {1, -1, 1}}, Interpolation::kLinear};
  character.clips[1] = {"nothing", 0, 0, {}};
  return character;
}

TEST(Bake, KeepsTheErrorBound) {
  for (const uint32_t joints : {1u, 2u, 3u, 4u, 5u, 17u, 67u})
    expect_within_default_bound(random_rig({.joints = joints, .clips = 2, .swing = 0.2f, .seed = joints}));
  for (const Scaling scaling : {Scaling::kNone, Scaling::kUniform, Scaling::kPerAxis}) {
    const Character character = random_rig({.joints = 12, .swing = 0.2f, .scaling = scaling});
    EXPECT_EQ(baked_of(character).scales(), scaling != Scaling::kNone);
    expect_within_default_bound(character);
  }
  const Character few = random_rig({.joints = 5, .swing = 0.2f});
  for (const uint32_t kind : {0u, 1u, 2u}) expect_within_default_bound(with_odd_matrices(few, kind));
  const Character others = with_other_entries(random_rig({.joints = 8, .swing = 0.2f}));
  EXPECT_EQ(baked_of(others).palette_size, 8u);
  EXPECT_FALSE(baked_of(others).scales());
  expect_within_default_bound(others);
  expect_within_default_bound(with_odd_clips(random_rig({.joints = 3, .clips = 2, .swing = 0.5f, .branching = 0})));
  const float minutes = 20;
  expect_within_default_bound(
      random_rig({.joints = 2, .clips = 1, .duration_seconds = minutes * 60, .keys_per_second = 1, .swing = 0.1f}));
}

TEST(Bake, ReportedErrorHolds) {
  const RigOptions wide{.joints = 1000, .clips = 1, .duration_seconds = 0.3f, .bone_length = 0.05f};
  const RigOptions chain{
      .joints = 1000, .clips = 1, .duration_seconds = 0.2f, .swing = 0.05f, .branching = 0, .bone_length = 0.002f};
  for (const RigOptions& options : {wide, chain})
    test::expect_stated_errors(random_rig(options), baked_of(random_rig(options)));
  for (const Interpolation interpolation : {Interpolation::kStep, Interpolation::kLinear}) {  // keys between frames
    const Character character =
        random_rig({.joints = 3, .keys_per_second = 3, .even_keys = false, .interpolation = interpolation});
    test::expect_stated_errors(character, baked_of(character));
  }
  for (const float start : {12.25f, -3.5f}) {
    const Character character = random_rig({.joints = 6, .start_seconds = start, .duration_seconds = 0.7f});
    const BakedCharacter baked = baked_of(character);
    EXPECT_EQ(baked.clips[0].start_seconds, start);
    EXPECT_NEAR(baked.clips[0].end_seconds, start + 0.7f, 1e-5);
    test::expect_stated_errors(character, baked);
  }
}

TEST(Bake, StepsStaySteps) {
  const Character character = one_joint({0, 0.51f, 1}, {0.1f, 0.3f, 0.8f}, Interpolation::kStep);
  const BakedCharacter baked = baked_of(character);
  expect_within_default_bound(character);
  for (const float time : {-1.0f, 0.0f, 0.2f, std::nextafter(0.51f, 0.0f)})
    EXPECT_NEAR(x_at(baked, time), 0.1, 1e-4) << time;
  for (const float time : {0.51f, 0.7f, std::nextafter(1.0f, 0.0f)}) EXPECT_NEAR(x_at(baked, time), 0.3, 1e-4) << time;
  for (const float time : {1.0f, 2.0f}) EXPECT_NEAR(x_at(baked, time), 0.8, 1e-4) << time;
}

TEST(Bake, KeysAtEqualTimesJump) {
  const Character character = one_joint({0, 0.5f, 0.5f, 1}, {0, 0.1f, 0.5f, 0.6f});
  const BakedCharacter baked = baked_of(character);
  expect_within_default_bound(character);
  EXPECT_NEAR(x_at(baked, 0.25f), 0.05, 1e-4);
  EXPECT_NEAR(x_at(baked, std::nextafter(0.5f, 0.0f)), 0.1, 1e-4);
  EXPECT_NEAR(x_at(baked, 0.5f), 0.5, 1e-4);
}

/// A jump is no change between frames, so it does not double the steps of 16 bits.
TEST(Bake, JumpsDoNotMakeOtherFramesCoarser) {
  const Character jumps = one_joint({0, 0.5f, 1}, {-1, 1, -1}, Interpolation::kStep);
  const BakedCharacter baked = baked_of(jumps);
  EXPECT_LT(baked.quantizations[0].scale[4], 1.1 / 32766);
}

TEST(Bake, OneKeyGivesTwoEqualFrames) {
  const BakedCharacter baked = baked_of(one_joint({2}, {7}));
  EXPECT_EQ(baked.clips[0].times.frame_count, 2u);
  for (const float time : {-1.0f, 2.0f, 9.0f}) EXPECT_NEAR(x_at(baked, time), 7, 1e-4);
}

TEST(Bake, JointsThatMoveNoEntryAreLeftOut) {
  Character character = random_rig({.joints = 3, .clips = 1, .branching = 0});
  character.skin.entries.pop_back();
  EXPECT_EQ(baked_of(character).nodes.size(), 2u);
  character.skin.entries.erase(character.skin.entries.begin());
  EXPECT_EQ(baked_of(character).nodes.size(), 2u) << "the root moves a joint with an entry";
}

TEST(Bake, UniformScaleAboveTheRootsNeedsNoScaleChannels) {
  Character character = random_rig({.joints = 10, .swing = 0.2f});
  // As in FBX files: joints in centimeters, and a scale to meters above the roots.
  character.skeleton.model_from_root = to_matrix({{1, 2, 3}, {0.6f, 0, 0, 0.8f}, {0.01f, 0.01f, 0.01f}});
  for (size_t j = 0; j < 10; ++j) character.skeleton.rest_pose[j].translation = {20, 0, 0};
  for (Clip& clip : character.clips) {
    for (JointTracks& joint : clip.tracks) joint.translation = {};
  }
  const BakedCharacter baked = baked_of(character);
  EXPECT_FALSE(baked.scales());
  EXPECT_NEAR(baked.scale, 0.01, 1e-6);
  test::expect_stated_errors(character, baked);
  // The error is measured at points 0.1 m from each joint: 10 units of mesh space.
  const float far = baked_of(character, {.max_error = 1, .error_radius = 1}).clips[0].error;
  const float near = baked_of(character, {.max_error = 1, .error_radius = 0.001f}).clips[0].error;
  EXPECT_GT(far, 2 * near);
}

TEST(Bake, SmallerErrorBoundTakesMoreFramesAndAnErrorAboveItIsReported) {
  const Character character = random_rig({.joints = 10, .clips = 1, .even_keys = false});
  const BakeOptions loose{.max_error = 0.05f}, tight{.max_error = 0.01f}, unreachable{.max_error = 1e-9f};
  const BakedCharacter coarse = baked_of(character, loose), fine = baked_of(character, tight);
  EXPECT_LE(coarse.clips[0].error, loose.max_error);
  EXPECT_GT(coarse.clips[0].error, tight.max_error);
  EXPECT_LT(coarse.clips[0].times.frame_count, fine.clips[0].times.frame_count);
  EXPECT_LT(fine.clips[0].error, coarse.clips[0].error);
  const Character even = random_rig({.joints = 10, .clips = 1});
  const BakedCharacter baked = baked_of(even, unreachable);
  EXPECT_GT(baked.clips[0].error, unreachable.max_error);
  EXPECT_LE(baked.clips[0].times.frames_per_second, 2 * unreachable.max_frames_per_second * 1.001f);
  test::expect_stated_errors(even, baked);
}

TEST(Bake, ErrorIsRelativeToTheSizeOfTheMesh) {
  const Character small = one_joint({0, 1 / 3.0f, 2 / 3.0f, 1}, {0, 1, -1, 0});
  Character large = small;
  large.mesh.positions = {{0, 0, 0}, {0, 180, 0}};
  large.mesh.normals = {{0, 1, 0}, {0, 1, 0}};
  large.mesh.uvs.resize(2);
  large.mesh.first_influence = {0, 1, 2};
  large.mesh.influences = {{0, 1}, {0, 1}};
  large.mesh.parts = {{"part", PartKind::kRigid, 0, 0, 2, 0, 0}};
  const float ratio =
      baked_of(small, {.max_error = 1}).clips[0].error / baked_of(large, {.max_error = 1}).clips[0].error;
  EXPECT_NEAR(ratio, 100, 1);
}

TEST(Bake, FramesFallOnKeys) {
  // Keys at multiples of 1/24 s, and keys at multiples of 1/120 s that no lower rate has a frame on.
  const Character film = one_joint({0, 1 / 24.0f, 2 / 24.0f, 0.5f}, {0, 0.1f, -0.1f, 0});
  EXPECT_NEAR(baked_of(film).clips[0].times.frames_per_second, 48, 1e-3);
  const Character odd = one_joint({0, 0.1f, 13 / 120.0f, 0.5f}, {0, 0.1f, -0.1f, 0});
  EXPECT_NEAR(baked_of(odd).clips[0].times.frames_per_second, 120, 1e-3);
  for (const Character& character : {film, odd}) {
    expect_within_default_bound(character);
  }
}

/// No rate up to the highest has a frame on every key.
TEST(Bake, FramesAreOnKeysWhereNoRateIs) {
  std::vector<float> rounded, pairs = {0}, rounded_values, pair_values = {0};  // 37.5 keys a second; pairs of keys
  for (int i = 0; i < 150; ++i) {
    rounded.push_back(std::round(float(i) / 37.5f * 1e4f) / 1e4f);
    rounded_values.push_back(i % 2 == 0 ? 0.1f : -0.1f);
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<float> step(0.002f, 0.2f);
  for (int i = 0; i < 30; ++i) {
    pairs.push_back(pairs.back() + step(random)), pair_values.push_back(i % 2 == 0 ? 1.0f : -1.0f);
    pairs.push_back(pairs.back() + 0.002f), pair_values.push_back(pair_values.back() + 0.1f);
  }
  for (const auto& [keys, values] : {std::pair(rounded, rounded_values), std::pair(pairs, pair_values)}) {
    const Character character = one_joint(keys, values);
    expect_within_default_bound(character);
    const BakedTimes best = baked_of(character).clips[0].times;
    for (const float key : keys)
      EXPECT_TRUE(std::binary_search(best.frame_seconds.begin(), best.frame_seconds.end(), key)) << key;
    EXPECT_LE(best.frame_count, float(keys.size()) + keys.back() * BakeOptions().min_frames_per_second);
  }
}

/// As clips of files that do not state their rate.
TEST(Bake, AClipOfAFewMillisecondsHasFramesOnItsKeys) {
  std::vector<float> keys, values;
  for (int i = 0; i < 160; ++i) keys.push_back(float(i) / 4800), values.push_back(i % 3 == 0 ? 0.5f : -0.5f);
  expect_within_default_bound(one_joint(keys, values));
}

/// A fast turn between two keys needs frames that are closer than at the highest rate, and few elsewhere.
TEST(Bake, StepsAreSplitWhereAJointTurnsFast) {
  Character character = one_joint({0, 0.513f, 0.528f, 3}, {0, 0, 0, 0.3f});
  JointTracks& tracks = character.clips[0].tracks[0];
  tracks.rotation = {{0, 0.513f, 0.528f, 3}, {{}, {}, {0, 0, 1, 0.1f}, {0, 0, 1, 0.1f}}, Interpolation::kLinear};
  for (Quat& key : tracks.rotation.values) key = normalize(key);
  expect_within_default_bound(character);
  const BakedTimes times = baked_of(character).clips[0].times;
  EXPECT_GT(times.frame_count, 4 + 3 * BakeOptions().min_frames_per_second);
  EXPECT_LT(times.frame_count, 2 * 3 * BakeOptions().min_frames_per_second);
}

/// Steps that are small, and of two tracks at nearly the same time.
TEST(Bake, SmallStepsAreSteps) {
  Character character = one_joint({0, 0.51f, 1}, {1, 1.001f, 1.002f}, Interpolation::kStep);
  JointTracks& tracks = character.clips[0].tracks[0];
  tracks.rotation = {{0, 0.510001f, 1}, {{}, normalize(Quat{0, 0, 8e-4f, 1}), {}}, Interpolation::kStep};
  expect_within_default_bound(character);
  character.clips[0].additive = true;
  expect_within_default_bound(character);
}

void expect_too_many(const Character& character, const std::vector<std::string>& words) {
  const Result<BakedCharacter> baked = bake(character);
  ASSERT_FALSE(baked);
  EXPECT_EQ(baked.error().code, ErrorCode::kUnsupported);
  for (const std::string& word : words) {
    EXPECT_NE(baked.error().message.find(word), std::string::npos) << baked.error().message;
  }
}

TEST(Bake, TooManyFramesAreRefusedBeforeAnyWork) {
  // Each of these bakes would take seconds.
  expect_too_many(one_joint({0, 500000}, {0, 1}), {"'move' of 500000 s", "15000003 frames", "524288"});
  expect_too_many(one_joint({0, 1e30f}, {0, 1}), {"'move' of 1", "524288"});
  Character many = random_rig({.joints = 100, .clips = 0});
  many.clips = {{"short", 0, 1, {}}, {"long", 0, 10000, {}}, {"other", 0, 1, {}}};
  expect_too_many(many, {"'long' of 10000 s", "of 100 joints", "16777216 poses"});
  many = one_joint({0, 1}, {0, 1});
  many.clips.resize(20000, Clip{"short", 0, 1, {}});  // frames of all clips count together
  expect_too_many(many, {"'short' of 1 s", "more than 524288"});
}

TEST(Bake, RatesAboveTheFrameLimitAreNotTried) {
  const Character character = one_joint({0, 2000}, {0, 2});
  BakeOptions options;
  options.min_frames_per_second = 1;
  options.max_frames_per_second = 1e6f;
  const Result<BakedCharacter> baked = bake(character, options);
  ASSERT_TRUE(baked) << baked.error().message;
  EXPECT_LE(baked->clips[0].times.frame_count, kMaxBakedFrames);
}

TEST(Bake, SearchForARateWithAFrameOnEveryKeyEnds) {
  // At every rate, all keys but the last are on the first frame.
  std::vector<float> times;
  for (int i = 0; i < 1000000; ++i) times.push_back(float(i) * 1e-11f);
  times.push_back(1000.123f);
  const Result<BakedCharacter> baked = bake(one_joint(times, std::vector<float>(times.size())));
  EXPECT_TRUE(baked);
}

TEST(Bake, ReportsItsProgress) {
  std::vector<double> shares;
  const auto note = [](void* user_data, double share) {
    static_cast<std::vector<double>*>(user_data)->push_back(share);
  };
  const Character character = random_rig({.joints = 3, .clips = 4, .duration_seconds = 5});
  ASSERT_TRUE(bake(character, {}, {&shares, note}));
  ASSERT_GT(shares.size(), 10u);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_LT(shares.front(), 0.1);
  EXPECT_GT(shares.back(), 0.9);
  EXPECT_LE(shares.back(), 1);
}

/// A finger of a hand: both are named where their keys are far beyond what 16 bits hold beside the rest.
Character finger(Track<Vec3> translation, Track<Vec3> scale) {
  Character character = random_rig({.joints = 2, .clips = 0, .branching = 0});
  character.skeleton.joint_names = {"hand", "finger"};
  character.clips = {{"wave", 0, 1, {{0, {}, {}, scale}, {1, std::move(translation), {}, scale}}}};
  return character;
}

std::string bake_message(const Character& character) { return message_of(bake(character)); }

TEST(Bake, KeysFarBeyondTheOthersAreRefusedInAShortLine) {
  const std::string far = bake_message(finger({{0, 0.5f, 1}, {{}, {1e8f, 0, 0}, {}}}, {}));
  EXPECT_EQ(far.find("bake: clip 'wave' moves joint 'finger' so far that 16 bits hold it no better than"), 0u) << far;
  EXPECT_LT(far.size(), 160u) << far;
  EXPECT_EQ(bake_message(finger({{0, 1}, {{}, {100, 0, 0}}}, {})), "") << "55 times the character is not far";
  EXPECT_TRUE(bake(finger({{0, 0.5f, 1}, {{}, {1e6f, 0, 0}, {}}}, {}), {.max_error = 1e5f}))
      << "the error is asked for";
}

TEST(Bake, PosesBeyondFloatsAreRefusedInAShortLine) {
  const Track<Vec3> scale{{0, 1}, {{1, 1, 1}, {1e9f, 1e9f, 1e9f}}};
  const std::string beyond = "bake: clip 'wave' moves joint 'finger' beyond 1e+09 units from the origin";
  EXPECT_EQ(bake_message(finger({{0, 1}, {{1, 0, 0}, {1e9f, 0, 0}}}, scale)), beyond);
  Character deep = random_rig({.joints = 60, .clips = 0, .branching = 0});
  deep.clips = {{"burst", 0, 1, {}}};
  for (uint32_t joint = 0; joint < 60; ++joint) deep.clips[0].tracks.push_back({joint, {}, {}, scale});
  const std::string message = bake_message(deep);  // 1e9 to the 60th power
  EXPECT_EQ(message.find("bake: clip 'burst' moves joint"), 0u) << message;
  EXPECT_LT(message.size(), 160u) << message;
}

TEST(Bake, InvalidOptionsAndCharactersAreRefused) {
  Character character = random_rig({});
  EXPECT_FALSE(bake(character, {.min_frames_per_second = 60, .max_frames_per_second = 30}));
  for (const float bad : {0.0f, -1.0f, NAN, INFINITY}) {
    BakeOptions options[4];
    options[0].max_error = options[1].error_radius = bad;
    options[2].min_frames_per_second = options[3].max_frames_per_second = bad;
    for (const BakeOptions& one : options) {
      const Result<BakedCharacter> baked = bake(character, one);
      ASSERT_FALSE(baked);
      EXPECT_EQ(baked.error().code, ErrorCode::kInvalidArgument);
    }
  }
  character.clips[1].tracks.back().joint = 99;
  EXPECT_NE(bake_message(character).find("clip 1"), std::string::npos);
}

}  // namespace
}  // namespace sinew
