// The bake of a level of detail: a palette of fewer joints, and the motion of the others folded into theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "rig.h"
#include "sinew/animation/pose.h"

namespace sinew {
namespace {

using test::random_rig;
using test::RigOptions;
using test::Scaling;

/// The entries of a share of the joints, at least one.
Skin some_of(const Skin& skin, std::mt19937& random, uint32_t keep_one_of) {
  Skin some;
  for (const PaletteEntry& entry : skin.entries) {
    if (random() % keep_one_of == 0) some.entries.push_back(entry);
  }
  if (some.entries.empty()) some.entries.push_back(skin.entries.back());
  return some;
}

Skin without(const Skin& skin, std::set<int32_t> joints) {
  Skin rest;
  for (const PaletteEntry& entry : skin.entries) {
    if (joints.count(entry.joint) == 0) rest.entries.push_back(entry);
  }
  return rest;
}

BakedCharacter baked_for(const Character& character, const Skin& skin, const BakeOptions& options = {}) {
  Result<BakedCharacter> baked = bake(character, skin, 0, options);
  EXPECT_TRUE(baked) << (baked ? "" : baked.error().message);
  return baked ? std::move(*baked) : BakedCharacter();
}

/// What the exact evaluator is to show: the character with the palette of the level.
Character with_skin(Character character, const Skin& skin) {
  character.skin = skin;
  return character;
}

/// Of every clip the reported error, against exact evaluation.
void expect_reported_errors(const Character& character, const Skin& skin, double max_error) {
  const BakedCharacter baked = baked_for(character, skin);
  ASSERT_TRUE(validate(baked));
  ASSERT_TRUE(validate(baked, character, skin, 0));
  ASSERT_EQ(baked.nodes.size(), skin.entries.size());
  test::expect_stated_errors(with_skin(character, skin), baked, max_error);
}

/// Clips become differences from the rest pose: on top of it they show the same.
Character with_additive_clips(Character character) {
  for (Clip& clip : character.clips) {
    Result<Clip> additive = make_additive(clip, character.skeleton, character.skeleton.rest_pose);
    EXPECT_TRUE(additive);
    clip = *additive;
  }
  return character;
}

/// Trees and chains of any size, of which any entries are left; with scales, additive clips and scales above the roots.
TEST(LevelBake, IsWithinItsErrorOnRandomSubsetsOfRandomRigs) {
  std::mt19937 random(7);
  const uint32_t sizes[] = {2, 3, 5, 8, 12, 25, 60};
  for (uint32_t seed = 1; seed <= 28; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto scaling = seed % 4 == 0 ? Scaling::kUniform : seed % 6 == 0 ? Scaling::kPerAxis : Scaling::kNone;
    const uint32_t branching = seed % 3 == 0 ? 0 : 3;
    Character character = random_rig({.joints = branching == 0 ? std::min(sizes[seed % 7], 12u) : sizes[seed % 7],
                                      .clips = 2,
                                      .duration_seconds = 0.5f,
                                      .swing = 0.1f,
                                      .branching = branching,
                                      .bone_length = branching == 0 ? 0.05f : 0.1f,
                                      .scaling = scaling,
                                      .seed = seed});
    if (seed % 5 == 0) character = with_additive_clips(character);
    const bool is_rough = seed % 5 == 0 && scaling != Scaling::kNone;
    expect_reported_errors(character, some_of(character.skin, random, 2 + random() % 3), is_rough ? 5e-4 : 1e-4);
  }
}

TEST(LevelBake, OfAllEntriesIsTheBakeOfTheCharacter) {
  const Character character = random_rig({.joints = 20, .scaling = Scaling::kPerAxis});
  const Result<BakedCharacter> usual = bake(character);
  ASSERT_TRUE(usual);
  const BakedCharacter level = baked_for(character, character.skin);
  ASSERT_EQ(level.frames.size(), usual->frames.size());
  for (size_t i = 0; i < level.frames.size(); ++i)
    ASSERT_TRUE(std::equal(level.frames[i].values, level.frames[i].values + 32, usual->frames[i].values));
}

TEST(LevelBake, HasNodesForItsEntriesAloneWithIndicesOfTheSkeleton) {
  const Character chain = random_rig({.joints = 6, .branching = 0});
  const Skin skin = without(chain.skin, {0, 2, 3});  // joints 1, 4, 5
  const BakedCharacter baked = baked_for(chain, skin);
  ASSERT_EQ(baked.nodes.size(), 3u);
  EXPECT_EQ(baked.joint_count, 6u);
  EXPECT_EQ(baked.palette_size, 3u);
  const int32_t joints[] = {1, 4, 5};
  for (int32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(baked.nodes[size_t(i)].joint, joints[i]);
    EXPECT_EQ(baked.nodes[size_t(i)].parent, i - 1);
    EXPECT_EQ(baked.nodes[size_t(i)].entry, i);
  }
}

TEST(LevelBake, KeepsConstantAndSkewedEntriesAndTheScaleOfARootThatIsFolded) {
  const Character chain =
      random_rig({.joints = 5, .duration_seconds = 0.5f, .swing = 0.1f, .branching = 0, .bone_length = 0.1f});
  Character scaled = chain;
  scaled.skeleton.model_from_root = Matrix3x4d{{{1.2, 0, 0, 0.1}, {0, 0.8, 0, 0}, {0, 0, 1, 0}}};
  Skin constant = without(chain.skin, {0, 1, 3});
  constant.entries.insert(constant.entries.begin(), {kNoJoint, to_matrix({{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}})});
  constant.entries.push_back({4, inverse(to_matrix({{0.3f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}))});  // a second one
  // The only entry of joint 2 is no rotation: it is a constant node, and the joint needs a node for it.
  Skin skewed = without(chain.skin, {1, 3, 4});
  skewed.entries[1].joint_from_mesh = Matrix3x4d{{{1, 0.5, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0.1}}};
  for (const auto& [character, skin, nodes] : {std::tuple(scaled, constant, 5u),  // the root transform too
                                               std::tuple(chain, skewed, 3u)}) {
    const BakedCharacter baked = baked_for(character, skin);
    EXPECT_EQ(baked.nodes.size(), nodes);
    test::expect_stated_errors(with_skin(character, skin), baked, INFINITY, 50);
  }
  Character large = chain;
  large.skeleton.rest_pose[0].scale = {2, 2, 2};
  const Skin folded = without(chain.skin, {0, 2});
  const BakedCharacter baked = baked_for(large, folded);
  EXPECT_NEAR(baked.scale, 2, 1e-6f);
  EXPECT_FALSE(baked.scales());
  expect_reported_errors(large, folded, 1e-4);
}

/// Two clips without motion, in which the middle one of three joints is turned by `radians` apart.
Character elbow(float radians) {
  Character character = random_rig({.joints = 3, .clips = 0, .branching = 0});
  character.skeleton.model_from_root = {};
  const float local[] = {0, 1, 0.3f}, global[] = {0, 1, 1.3f};
  for (size_t j = 0; j < 3; ++j) {
    character.skeleton.rest_pose[j] = {{0, local[j], 0}, {0, 0, 0, 1}, {1, 1, 1}};
    character.skin.entries[j].joint_from_mesh = {{{1, 0, 0, 0}, {0, 1, 0, -global[j]}, {0, 0, 1, 0}}};
  }
  for (const float sign : {-0.25f, 0.25f}) {
    JointTracks tracks;
    tracks.joint = 1;
    tracks.rotation.times_seconds = {0};
    tracks.rotation.values = {{std::sin(sign * radians), 0, 0, std::cos(sign * radians)}};
    character.clips.push_back({"bent", 0, 0, {tracks}});
  }
  return character;
}

TEST(LevelBake, ABlendIsOnTheChordOfTheArc) {
  for (const float radians : {0.3f, 1.0f, 2.0f}) {
    const Character character = elbow(radians);
    const Skin skin = without(character.skin, {1});
    const BakedCharacter baked = baked_for(character, skin);
    const double promised = 0.3 * (1 - std::cos(radians / 2));
    double largest = 0;
    for (float weight = 0; weight <= 1; weight += 0.125f) {
      const Playback blend{{{0, 0, 1 - weight}, {1, 0, weight}}};
      test::Palettes exact = test::evaluate_exact(with_skin(character, skin), {&blend, 1});
      test::Palettes folded = test::evaluate_baked(baked, {&blend, 1});
      const double off = test::largest_distance(with_skin(character, skin), exact.of(0), folded.of(0), 0);
      if (weight == 0 || weight == 1) {
        EXPECT_LT(off, 2e-5);
      }
      largest = std::max(largest, off);
    }
    EXPECT_LE(largest, promised + 2e-5) << radians;
    EXPECT_GE(largest, promised * 0.9) << radians;  // it is no smaller either
  }
}

TEST(LevelBake, AMaskOfTheSkeletonWorksOnTheNodesThatRemain) {
  const Character character = elbow(1);
  const Skin skin = without(character.skin, {1});
  const BakedCharacter baked = baked_for(character, skin);
  CrowdEvaluator evaluator(baked);
  ASSERT_TRUE(evaluator.add_mask(std::vector<float>{1, 1, 0}));
  const auto at = [&](uint32_t mask) {
    const Playback playback{{{0, 0, 1}, {1, 0, 1e3f, mask}}};
    test::Palettes palettes(1, baked.palette_size);
    EXPECT_TRUE(evaluator.evaluate({&playback, 1}, palettes.stride(), palettes.all()));
    return palettes.of(0)[1].m[2][1];  // of the hand
  };
  EXPECT_NEAR(at(0), std::sin(0.5f), 2e-3);
  EXPECT_NEAR(at(1), std::sin(-0.5f), 2e-3);  // the factor of the hand, not that of the folded elbow
}

TEST(LevelBake, HasMorphWeightsIfTheLevelHasTargetsAndRefusesASkinOfAnotherSkeleton) {
  Character character = random_rig({.joints = 3, .clips = 1});
  character.mesh = test::triangle(1);
  character.mesh.targets = {{"smile", 0.25f, {0}, {{0.1f, 0, 0}}, {}, {}}};
  const Skin skin = without(character.skin, {1});
  const Result<BakedCharacter> with = bake(character, skin, 1), none = bake(character, skin, 0);
  ASSERT_TRUE(with && none);
  EXPECT_EQ(with->target_count(), 1u);
  EXPECT_EQ(none->target_count(), 0u);
  EXPECT_TRUE(validate(*with, character, skin, 1));
  EXPECT_TRUE(validate(*none, character, skin, 0));
  EXPECT_FALSE(validate(*none, character, skin, 1));
  EXPECT_FALSE(validate(*none, character));
  const auto refused = bake(character, skin, 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "bake: 2 morph targets, the character has 1");
  Skin foreign = character.skin;
  foreign.entries[2].joint = 3;
  const auto of_foreign = bake(character, foreign, 0);
  ASSERT_FALSE(of_foreign);
  EXPECT_EQ(of_foreign.error().code, ErrorCode::kInvalidData);
}

}  // namespace
}  // namespace sinew
