// Bounding boxes contain every vertex that the crowd evaluator and the CPU skinner compute.
#include "sinew/animation/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <ostream>

#include "bounds_subject.h"
#include "message.h"
#include "rig.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

using test::add_mesh;
using test::diagonal;
using test::expect_clip_inside;
using test::expect_layers_inside;
using test::overhang;
using test::random_rig;
using test::Scaling;
using test::Subject;
using test::with_mesh;

void make_last_additive(Character& character) {
  std::vector<Transform> first(character.skeleton.joint_count());
  Clip& clip = character.clips.back();
  sample_clip(clip, character.skeleton, clip.start_seconds, first);
  clip = *make_additive(clip, character.skeleton, first);
}

Character built_in() {
  Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  EXPECT_TRUE(character) << character.error().message;
  return std::move(*character);
}

/// Checks every clip. Returns the largest of the diagonals of their bounds over those of their vertices' boxes.
double expect_clips_inside(const Subject& subject, size_t times) {
  double largest = 0;
  for (uint32_t clip = 0; clip < subject.baked.clips.size(); ++clip) {
    const Box measured = expect_clip_inside(subject, clip, times);
    if (subject.baked.clips[clip].additive) continue;
    largest = std::max(largest, diagonal(subject.bounds.clips[clip]) / diagonal(measured));
  }
  return largest;
}

/// The largest of the diagonals of bounds of pairs over those of the boxes around both clips' bounds.
double largest_pair_of(const CharacterBounds& bounds) {
  double largest = 0;
  for (size_t b = 0, i = 0; b < bounds.clips.size(); ++b) {
    for (size_t a = 0; a <= b; ++a, ++i) {
      largest = std::max(largest, diagonal(bounds.pairs[i]) / diagonal(merge(bounds.clips[a], bounds.clips[b])));
    }
  }
  return largest;
}

TEST(Bounds, ContainTheBuiltInCharacterWithAnyLayers) {
  const Subject subject(built_in());
  EXPECT_LT(expect_clips_inside(subject, 60), 1.1);
  EXPECT_LT(largest_pair_of(subject.bounds), 2);
  for (size_t layers = 2; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 100);
}

TEST(Bounds, ContainTheBuiltInCharacterBlendedWithDualQuaternions) {
  Character character = built_in();
  const Subject linear(character);
  character.mesh.blend = Blend::kDualQuaternion;
  const Subject subject(character);
  EXPECT_LT(expect_clips_inside(subject, 60), 1.2);
  for (size_t layers = 2; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 50);
  EXPECT_GT(diagonal(subject.bounds.clips[0]), diagonal(linear.bounds.clips[0]));
}

TEST(Bounds, ContainTheBuiltInCharacterWithAdditiveLayers) {
  Character character = built_in();
  make_last_additive(character);
  const Subject subject(std::move(character));
  for (size_t layers = 1; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 80);
  EXPECT_LT(diagonal(subject.bounds.layered), 2 * diagonal(subject.bounds.clips[0]));
}

struct RigCase {
  const char* name;
  test::RigOptions options;
};

class RigBounds : public testing::TestWithParam<RigCase> {};

std::ostream& operator<<(std::ostream& out, const RigCase& rig) { return out << rig.name; }

const RigCase kRigs[] = {
    {"SmallRotations", {.clips = 4, .swing = 0.2f}},
    {"LargeRotations", {.joints = 30, .clips = 4, .keys_per_second = 30, .swing = 3, .seed = 2}},
    {"Chain", {.joints = 40, .clips = 4, .swing = 0.5f, .branching = 0, .seed = 3}},
    {"StepKeys", {.clips = 4, .swing = 2, .interpolation = Interpolation::kStep, .seed = 4}},
    {"UniformScale", {.clips = 4, .swing = 0.3f, .scaling = Scaling::kUniform, .seed = 5}},
    {"ScalePerAxis", {.clips = 4, .swing = 0.3f, .scaling = Scaling::kPerAxis, .seed = 6}},
    {"LongBones", {.joints = 12, .clips = 4, .duration_seconds = 5, .keys_per_second = 4, .bone_length = 1, .seed = 7}},
    {"OneJoint", {.joints = 1, .clips = 4, .seed = 8}},
};

INSTANTIATE_TEST_SUITE_P(Bounds, RigBounds, testing::ValuesIn(kRigs), testing::PrintToStringParamName());

/// Influences of neighbors and of joints far apart, rotations up to a half turn and more, and all layers.
TEST_P(RigBounds, ContainAnyPlayback) {
  for (const Blend blend : {Blend::kLinear, Blend::kDualQuaternion}) {
    Character character = with_mesh(GetParam().options);
    character.mesh.blend = blend;
    make_last_additive(character);
    const Subject subject(std::move(character));
    expect_clips_inside(subject, 300);
    for (size_t layers = 1; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 400);
  }
}

/// One joint at the origin that rotates about z, and one vertex 1 m away along x.
struct Hand {
  Character character = random_rig({.joints = 1, .clips = 0});

  Hand() {
    character.skeleton.model_from_root = {};
    character.skeleton.rest_pose = {{}};
    character.skin.entries = {{0, {}}};
    add_mesh(character, 1, 0, 1);
    character.mesh.positions = {{1, 0, 0}};
  }

  /// Adds a clip with one rotation key for each angle, 1/30 s apart.
  void add_clip(const std::vector<double>& radians) {
    JointTracks tracks;
    for (size_t key = 0; key < radians.size(); ++key) {
      tracks.rotation.times_seconds.push_back(float(key) / 30);
      tracks.rotation.values.push_back(test::about_z(radians[key]));
    }
    character.clips.push_back({"turn", 0, 0, {tracks}});
    set_time_range(character.clips.back());
  }
};

void expect_near(const Box& box, Vec3 low, Vec3 high, float tolerance) {
  EXPECT_LT(length(box.low - low), tolerance) << box.low.x << " " << box.low.y << " " << box.low.z;
  EXPECT_LT(length(box.high - high), tolerance) << box.high.x << " " << box.high.y << " " << box.high.z;
}

TEST(Bounds, ContainTheArcBetweenFramesWithASmallMargin) {
  Hand hand;
  for (const double to : {0.8, 0.9, 1.0}) hand.add_clip({-1, to});
  const Subject subject(hand.character, {.max_frames_per_second = 30});
  for (uint32_t clip = 0; clip < 3; ++clip) expect_clip_inside(subject, clip, 3000);
  expect_near(subject.bounds.clips[2], {float(std::cos(1.0)), float(-std::sin(1.0)), 0}, {1, float(std::sin(1.0)), 0},
              0.004f);
  expect_near(subject.bounds.rest, {1, 0, 0}, {1, 0, 0}, 1e-4f);
}

TEST(Bounds, OfAStepDoNotContainWhatLiesBetweenBothSides) {
  Hand hand;
  hand.add_clip({-1, 1, 1});
  hand.character.clips[0].tracks[0].rotation.interpolation = Interpolation::kStep;
  const Subject subject(hand.character);
  expect_clip_inside(subject, 0, 1000);
  EXPECT_LT(subject.bounds.clips[0].high.x, std::cos(1.0) + 0.01);
}

TEST(Bounds, OfAPairContainTheBlendBetweenItsClips) {
  Hand hand;
  hand.add_clip({-0.5, -0.5});
  hand.add_clip({0.5, 0.5});
  const Subject subject(hand.character);
  const Playback both{{{0, 0, 0.5f}, {1, 0, 0.5f}}};
  EXPECT_NEAR(subject.skinned(both).high.x, 1, 1e-4);
  EXPECT_LT(subject.bounds.clips[0].high.x, 0.9f) << "no clip alone reaches it";
  // The box of a cone about x, because the bounds do not know the axis of rotation.
  const auto cosine = float(std::cos(0.5)), sine = float(std::sin(0.5));
  expect_near(bounds_of(subject.bounds, subject.baked, both), {cosine, -sine, -sine}, {1, sine, sine}, 0.01f);
}

/// Clips so far apart that the order of the layers decides on which side of the circle their blend is; and almost a
/// full turn in one clip, whose last quaternion is almost the negative of the first.
TEST(Bounds, ContainBlendsOfClipsFarApartAndOfAClipWithAFullTurn) {
  Hand apart, turning;
  for (const double radians : {1.24, std::numbers::pi, 5.04}) apart.add_clip({radians, radians});
  turning.add_clip({0, 1, 2, 3, 4, 5, 6});
  turning.add_clip({0, 0.2});
  for (const Hand& hand : {apart, turning}) {
    const Subject subject(hand.character);
    expect_clip_inside(subject, 0, 1000);
    for (size_t layers = 2; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 500);
  }
}

TEST(Bounds, ContainSeveralAdditiveLayersAtOnce) {
  Hand hand;
  hand.add_clip({3, 3});
  hand.add_clip({0.3, 0.3});
  const std::vector<Transform> rest = hand.character.skeleton.rest_pose;
  hand.character.clips[1] = *make_additive(hand.character.clips[1], hand.character.skeleton, rest);
  const Subject subject(hand.character);
  const Playback once{{{0, 0, 1}, {1, 0, 1}}}, thrice{{{0, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}}},
      on_rest{{{1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}}};
  for (const Playback& playback : {once, thrice, on_rest}) {
    EXPECT_LE(overhang(subject.skinned(playback), bounds_of(subject.bounds, subject.baked, playback)), 0);
  }
  EXPECT_NEAR(subject.skinned(thrice).low.y, std::sin(3.9), 1e-4);
}

TEST(Bounds, ContainSeveralAdditiveScalesAtOnce) {
  for (const float scale : {2.0f, 0.5f}) {
    Hand hand;
    hand.add_clip({0, 0});
    hand.character.clips[0].tracks[0].scale = {{0}, {{scale, scale, scale}}};
    const std::vector<Transform> rest = hand.character.skeleton.rest_pose;
    hand.character.clips[0] = *make_additive(hand.character.clips[0], hand.character.skeleton, rest);
    const Subject subject(hand.character);
    const Layer layer{0, 0, 1};
    const Playback all{{layer, layer, layer, layer}};
    const Box box = subject.skinned(all);
    EXPECT_NEAR(box.low.x, std::pow(scale, 4), 1e-3);
    EXPECT_LE(overhang(box, bounds_of(subject.bounds, subject.baked, all)), 0) << scale;
  }
}

/// Additive clips that move the vertex by half a target each way; four layers of one are two targets.
TEST(Bounds, ContainTheWeightsOfSeveralAdditiveLayers) {
  Hand hand;
  hand.character.mesh.targets = {{"reach", 0.25f, {0}, {{1, 0, 0}}, {}, {}}};
  for (const float weight : {0.5f, -0.5f}) {
    hand.add_clip({0, 0});
    hand.character.clips.back().weights = {{0, {{0, 1}, {weight, weight}}}};
    hand.character.clips.back().additive = true;
  }
  const Subject subject(hand.character);
  const Box& layered = subject.bounds.layered;
  EXPECT_LE(layered.low.x, 1 + 0.25f - 2);
  EXPECT_GE(layered.high.x, 1 + 0.25f + 2);
  EXPECT_NEAR(layered.high.x, 1 + 0.25f + 2, 0.1f);
}

/// A scale along a diagonal moves a vertex on the x axis away from this axis.
TEST(Bounds, ContainNonUniformScaleAlongADiagonal) {
  Hand hand;
  const Transform rotated = {{}, test::about_z(std::numbers::pi / 4), {1, 1, 1}};
  hand.character.skeleton.rest_pose = {rotated};
  hand.character.skin.entries[0].joint_from_mesh = inverse(to_matrix(rotated));
  hand.add_clip({std::numbers::pi / 4, std::numbers::pi / 4});
  hand.character.clips[0].tracks[0].scale = {{0}, {{2, 1, 1}}};
  const Subject subject(hand.character);
  const Playback once{{{0, 0, 1}}}, twice{{{0, 0, 1}, {0, 0, 1}}};
  const Box box = subject.skinned(once);
  EXPECT_LT(length(box.low - Vec3{1.5f, 0.5f, 0}), 1e-4f);
  EXPECT_LE(overhang(box, bounds_of(subject.bounds, subject.baked, once)), 0);
  EXPECT_LE(overhang(box, bounds_of(subject.bounds, subject.baked, twice)), 0);
}

TEST(Bounds, ContainVerticesWhoseWeightsDoNotQuiteAddToOne) {
  Hand hand;
  hand.character.mesh.influences[0].weight = 1.00009f;
  const Subject subject(hand.character);
  EXPECT_LE(overhang(subject.skinned(Playback()), subject.bounds.rest), 0);
}

TEST(Bounds, OfAPlaybackAreThoseOfItsLayers) {
  const Subject subject(with_mesh({.clips = 3}));
  const CharacterBounds& bounds = subject.bounds;
  const auto same = [](const Box& a, const Box& b) { return length(a.low - b.low) + length(a.high - b.high) == 0; };
  const auto of = [&](const Playback& playback) { return bounds_of(bounds, subject.baked, playback); };
  EXPECT_TRUE(same(of({{{0, 0, 0}}}), bounds.rest));
  EXPECT_TRUE(same(of({{{7, 0, 1}}}), bounds.rest)) << "no such clip";
  EXPECT_TRUE(same(of({{{1, 0, NAN}}}), bounds.rest));
  EXPECT_TRUE(same(of({{{0, 0, 0}, {2, 0, 0.1f}}}), bounds.clips[2]));
  EXPECT_TRUE(same(of({{{2, 0, 1}, {0, 0, 1}}}), bounds.pairs[3]));
  EXPECT_TRUE(same(of({{{1, 0, 1}, {1, 0.5f, 1}}}), bounds.pairs[2]));
  EXPECT_TRUE(same(of({{{1, 0, 1}, {1, 0, 1}, {0, 0, 1}}}), bounds.blended));
}

TEST(Bounds, WithoutVerticesOrClipsAreEmptyAtTheOrigin) {
  const Character character = random_rig({.clips = 0});
  const Result<BakedCharacter> baked = bake(character);
  const Result<CharacterBounds> bounds = measure_bounds(character, *baked);
  ASSERT_TRUE(bounds) << bounds.error().message;
  EXPECT_TRUE(bounds->clips.empty() && bounds->pairs.empty());
  for (const Box& box : {bounds->rest, bounds->blended, bounds->layered}) {
    EXPECT_EQ(length(box.low) + length(box.high), 0);
  }
}

TEST(Bounds, OfInvalidInputAreRefused) {
  Character character = with_mesh({.joints = 3, .clips = 1});
  BakedCharacter baked = *bake(character);
  const auto message = [&] { return test::message_of(measure_bounds(character, baked)); };
  baked.scale = 1e30f, baked.quantizations[0].center[4] = 1e30f;
  EXPECT_EQ(message(), "bounds: the bake reaches beyond what floats hold");
  baked.scale = NAN;
  EXPECT_EQ(message(), "bake: its scale is not finite");
  baked = *bake(with_mesh({.joints = 4, .clips = 1}));
  EXPECT_NE(message().find("bake: it has 4 joints"), std::string::npos);
  character.mesh.influences[0].entry = 9;
  EXPECT_NE(message().find("palette entry 9"), std::string::npos);
}

}  // namespace
}  // namespace sinew
