// Chains in the lanes, against the exact stages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "lanes/lane_code.h"
#include "long_run.h"
#include "message.h"
#include "random_chains.h"
#include "rig.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;

namespace {

using test::ChainDraw;
using test::message_of;
using test::Palettes;
using test::random_rig;
using test::RigOptions;
using test::Scaling;

/// The diagonal of the joints in the rest pose.
double diagonal_of(const Character& character) {
  Box box = kEmptyBox;
  for (const Matrix3x4d& joint : test::rest_joints(character)) include(box, transform_point(joint, {}));
  return double(length(size_of(box)));
}

Palettes exact(const Character& character, const Skin& skin, std::span<const Playback> instances,
               const ChainTargets& targets) {
  Palettes palettes(instances.size(), skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(evaluate_exact(character, skin, instances, palettes.stride(), palettes.all(), scratch, {}, targets));
  return palettes;
}

Palettes in_lanes(const CrowdEvaluator& evaluator, std::span<const Playback> instances,
                  std::span<const ChainTarget> targets) {
  Palettes palettes(instances.size(), evaluator.baked()->palette_size);
  const Status status =
      evaluator.evaluate(EvaluationInfo{instances, targets, palettes.stride(), palettes.all(), {}, {}});
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return palettes;
}

CrowdEvaluator evaluator_of(const BakedCharacter& baked, const Character& character, const std::vector<Chain>& chains,
                            std::string_view instruction_set = {}) {
  CrowdEvaluator evaluator(baked, instruction_set);
  EXPECT_TRUE(evaluator.set_chains(character, chains));
  return evaluator;
}

bool same_palette(Palettes& a, Palettes& b, size_t instance) {
  return std::memcmp(a.of(instance).data(), b.of(instance).data(), a.of(instance).size_bytes()) == 0;
}

class EveryChain : public testing::TestWithParam<Scaling> {};

INSTANTIATE_TEST_SUITE_P(ChainsInLanes, EveryChain,
                         testing::Values(Scaling::kNone, Scaling::kUniform, Scaling::kPerAxis));

/// A rig in its rest pose, which is baked without an error.
Character resting_rig(Scaling scaling, uint32_t seed) {
  Character character = random_rig({.joints = 30, .clips = 0, .scaling = scaling, .seed = seed});
  if (scaling == Scaling::kPerAxis && seed % 2 == 0) {
    for (size_t joint = 0; joint < 30; joint += 4) character.skeleton.rest_pose[joint].scale.y *= -1;
  }
  if (scaling == Scaling::kPerAxis && seed % 3 == 0) character.skeleton.model_from_root.m[0][0] *= -2;
  return character;
}

/// The errors of all instances over the diagonal, sorted.
std::vector<double> errors(const Character& character, const CrowdEvaluator& evaluator,
                           const std::vector<Chain>& chains, std::span<const ChainTarget> targets) {
  const std::vector<Playback> instances(50);
  Palettes wanted = exact(character, character.skin, instances, {chains, targets});
  Palettes palettes = in_lanes(evaluator, instances, targets);
  std::vector<double> made;
  for (size_t i = 0; i < instances.size(); ++i)
    made.push_back(test::largest_distance(character, palettes.of(i), wanted.of(i), 0.1) / diagonal_of(character));
  std::sort(made.begin(), made.end());
  return made;
}

/// Where a chain is at its limit, it makes more of the rounding of a chain above it, up to kMaxChainGain times as much.
TEST_P(EveryChain, AgreeWithTheExactStages) {
  size_t count = 0, large = 0;
  for (uint32_t seed = 1; seed <= (test::is_long_run() ? 300u : 30u); ++seed) {
    const Character character = resting_rig(GetParam(), seed);
    const auto baked = bake(character);
    ASSERT_TRUE(baked);
    ChainDraw draw(seed, true);
    const std::vector<Chain> chains = draw.chains(character);
    ASSERT_GT(chains.size(), 0u);
    const std::vector<ChainTarget> targets = draw.targets(50, chains.size());
    for (const LaneCode& lane_code : available_lane_code()) {
      for (const double error :
           errors(character, evaluator_of(*baked, character, chains, lane_code.name), chains, targets)) {
        ++count, large += !(error < 1e-5);
        EXPECT_LT(error, 1e-4) << lane_code.name << " seed " << seed;
      }
    }
  }
  EXPECT_LE(large, count / 2000);
}

TEST(ChainsInLanes, StayNearTheExactStagesInChainsThatAreNoLimbs) {
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    const Character character = resting_rig(Scaling::kPerAxis, seed);
    const auto baked = bake(character);
    ChainDraw draw(seed);
    const std::vector<Chain> chains = draw.chains(character);
    const std::vector<ChainTarget> targets = draw.targets(50, chains.size());
    EXPECT_LT(errors(character, evaluator_of(*baked, character, chains), chains, targets).back(), 1e-3) << seed;
  }
}

/// A rig with clips, its chains, and instances that play several layers, some of them masked or added.
struct ChainCrowd {
  Character character;
  BakedCharacter baked;
  std::vector<Chain> chains;
  std::vector<float> mask;
  std::vector<Playback> instances;
  std::vector<ChainTarget> targets;

  explicit ChainCrowd(Scaling scaling, size_t count = 200, uint32_t layers = kMaxLayers) {
    character = random_rig({.joints = 30, .clips = 3, .scaling = scaling, .seed = 7});
    character.clips.push_back(*make_additive(character.clips[0], character.skeleton, character.skeleton.rest_pose));
    baked = *bake(character);
    ChainDraw draw(3, true);
    chains = draw.chains(character);
    for (uint32_t joint = 0; joint < 30; ++joint) mask.push_back(draw.between(0, 1));
    instances.resize(count);
    for (Playback& playback : instances) {
      for (uint32_t l = 0; l < 1 + draw.below(layers); ++l)
        playback.layers[l] = {draw.below(layers == 1 ? 3 : 4), draw.between(0, 1), draw.between(0.1f, 2),
                              draw.below(2)};
    }
    targets = draw.targets(count, chains.size());
  }

  CrowdEvaluator evaluator(std::string_view instruction_set = {}) const {
    CrowdEvaluator made = evaluator_of(baked, character, chains, instruction_set);
    EXPECT_TRUE(made.add_mask(mask));
    return made;
  }
};

TEST_P(EveryChain, AgreeWithTheScalarCodeInLayersAndMasks) {
  const ChainCrowd crowd(GetParam());
  Palettes wanted = in_lanes(crowd.evaluator("scalar"), crowd.instances, crowd.targets);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = in_lanes(crowd.evaluator(lane_code.name), crowd.instances, crowd.targets);
    EXPECT_LT(test::largest_distance(crowd.character, palettes, wanted, 0.1), 1e-5 * diagonal_of(crowd.character))
        << lane_code.name;
  }
}

TEST_P(EveryChain, AreWithinTheErrorOfTheBakeInClips) {
  const ChainCrowd crowd(GetParam(), 100, 1);
  // Within reach, a chain makes no more than this of the error of a pose; at its limits, kMaxChainGain.
  const double gain = 10;
  Palettes wanted = exact(crowd.character, crowd.character.skin, crowd.instances, {crowd.chains, crowd.targets});
  Palettes palettes = in_lanes(crowd.evaluator(), crowd.instances, crowd.targets);
  EXPECT_LT(test::largest_distance(crowd.character, palettes, wanted, 0.1), gain * 1e-4);
}

TEST_P(EveryChain, InstancesWithoutTargetsAreTheSameBitByBitAndWeightlessOnesChangeNothing) {
  const ChainCrowd crowd(GetParam());
  const CrowdEvaluator evaluator = crowd.evaluator();
  Palettes with = in_lanes(evaluator, crowd.instances, crowd.targets);
  Palettes without = in_lanes(evaluator, crowd.instances, {});
  size_t same = 0;
  for (uint32_t i = 0; i < crowd.instances.size(); ++i) {
    const bool targeted = std::any_of(crowd.targets.begin(), crowd.targets.end(),
                                      [&](const ChainTarget& target) { return target.instance == i; });
    same += same_palette(with, without, i);
    EXPECT_TRUE(targeted || same_palette(with, without, i)) << i;
  }
  EXPECT_LT(same, 150u) << "the others move";
  std::vector<ChainTarget> weightless = crowd.targets;
  for (ChainTarget& target : weightless) target.weight = 1e-30f;
  Palettes still = in_lanes(evaluator, crowd.instances, weightless);
  EXPECT_LT(test::largest_distance(crowd.character, still, without, 0.1), 1e-5);
}

/// The targets of one instance, for a call with that instance alone.
std::vector<ChainTarget> targets_of(const ChainCrowd& crowd, uint32_t instance) {
  std::vector<ChainTarget> own;
  for (const ChainTarget& target : crowd.targets) {
    if (target.instance == instance) own.push_back({0, target.chain, target.position, target.weight, target.normal});
  }
  return own;
}

TEST(ChainsInLanes, DoNotDependOnTheOtherInstances) {
  for (const LaneCode& lane_code : available_lane_code()) {
    // 9,000 are sorted in several pieces, and written past the caches: by code of its own, which may round otherwise.
    for (const uint32_t count : {2000u, 9000u}) {
      const ChainCrowd crowd(Scaling::kNone, count);
      const CrowdEvaluator evaluator = crowd.evaluator(lane_code.name);
      Palettes together = in_lanes(evaluator, crowd.instances, crowd.targets);
      for (uint32_t i = 0; i < count; i += 97) {
        Palettes alone = in_lanes(evaluator, std::span(crowd.instances).subspan(i, 1), targets_of(crowd, i));
        const auto a = alone.of(0), b = together.of(i);
        EXPECT_TRUE(count == 9000 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) << lane_code.name << i;
        EXPECT_LT(test::largest_distance(crowd.character, a, b, 0.1), 1e-5) << lane_code.name << i;
      }
    }
  }
}

TEST(ChainsInLanes, CompactPalettesAndSocketsFollow) {
  const ChainCrowd crowd(Scaling::kNone, 50);
  for (const LaneCode& lane_code : available_lane_code()) {
    CrowdEvaluator evaluator = crowd.evaluator(lane_code.name);
    const Matrix3x4 offset = {{{1, 0, 0, 0.1f}, {0, 1, 0, 0.2f}, {0, 0, 1, 0}}};
    ASSERT_TRUE(evaluator.set_sockets(std::vector<Socket>{{29, offset}, {5, {}}}));
    Palettes palettes = in_lanes(evaluator, crowd.instances, crowd.targets);
    std::vector<CompactMatrix> compact(50 * 32);
    std::vector<Matrix3x4> sockets(100), alone(100);
    ASSERT_TRUE(evaluator.evaluate({crowd.instances, crowd.targets, 32, {}, compact, sockets}));
    ASSERT_TRUE(evaluator.evaluate({crowd.instances, crowd.targets, 0, {}, {}, alone}));
    for (uint32_t i = 0; i < 50; ++i) {
      for (uint32_t entry = 0; entry < 30; ++entry) {
        const Matrix3x4 expanded = expand(compact[i * 32 + entry], crowd.baked.scale);
        for (int k = 0; k < 12; ++k)
          EXPECT_NEAR(expanded.m[k / 4][k % 4], palettes.of(i)[entry].m[k / 4][k % 4], 2e-5f);
      }
      const Matrix3x4 socket = palettes.of(i)[29] * offset;
      for (int k = 0; k < 12; ++k) {
        EXPECT_NEAR(sockets[i * 2].m[k / 4][k % 4], socket.m[k / 4][k % 4], 1e-5f);
        EXPECT_NEAR(alone[i * 2].m[k / 4][k % 4], socket.m[k / 4][k % 4], 1e-5f);
      }
    }
  }
}

/// The chain of a level is moved as that of the character, where the level has its joints.
TEST(ChainsInLanes, LevelsWithFewerJointsKeepTheChainsThatTheyCan) {
  const Character character = random_rig({.joints = 12, .clips = 0, .branching = 0, .seed = 5});
  const std::vector<Chain> chains{{"limb", TwoBoneChain{1, 3, 5, {0.3f, 0.2f, 1}}},
                                  {"aim", AimChain{{{6, 1}, {8, 2}, {10, 3}}, {1, 0, 0}}}};
  const std::vector<Playback> instances(1);
  const std::vector<ChainTarget> targets{{0, 0, {0.2f, 0.3f, 0.1f}}, {0, 1, {0.8f, 1, -1}}};
  const auto without = [&](std::vector<int32_t> joints, const std::vector<Chain>& wanted_chains,
                           std::span<const ChainTarget> wanted_targets) {
    Skin skin = character.skin;
    std::erase_if(skin.entries,
                  [&](const PaletteEntry& entry) { return std::ranges::find(joints, entry.joint) != joints.end(); });
    const auto baked = bake(character, skin, 0);
    EXPECT_TRUE(baked);
    Palettes wanted = exact(character, skin, instances, {wanted_chains, wanted_targets});
    CrowdEvaluator evaluator(*baked);
    EXPECT_TRUE(evaluator.set_chains(character, skin, chains));
    Palettes palettes = in_lanes(evaluator, instances, targets);
    double largest = 0;
    for (size_t entry = 0; entry < skin.entries.size(); ++entry)
      largest = test::larger(largest, test::largest_difference(matrix_cast<double>(palettes.of(0)[entry]),
                                                               matrix_cast<double>(wanted.of(0)[entry])));
    return largest;
  };
  EXPECT_LT(without({}, chains, targets), 1e-5);
  EXPECT_LT(without({0, 2, 4, 7, 9, 11}, chains, targets), 1e-5) << "none of the chains' own";
  EXPECT_LT(without({3}, chains, std::span(targets).subspan(1)), 1e-5) << "the limb is left out";
  EXPECT_LT(without({10}, chains, std::span(targets).first(1)), 1e-5) << "the aim is left out";
  std::vector<Chain> shared = chains;
  shared[1].kind = AimChain{{{6, 1}, {10, 3}}, {1, 0, 0}};
  EXPECT_LT(without({8}, shared, targets), 1e-5) << "the others share what joint 8 would turn";
}

TEST(ChainsInLanes, ZeroLengthsGiveNumbers) {
  for (const bool scaled : {false, true}) {
    Character character = random_rig({.joints = 20, .clips = 0, .branching = 0});
    for (size_t joint = 0; joint < 20; joint += 3) {
      character.skeleton.rest_pose[joint].translation = {};
      if (scaled) character.skeleton.rest_pose[joint].scale = {};
    }
    const auto baked = bake(character);
    ASSERT_TRUE(baked);
    ChainDraw draw(9);
    const std::vector<Chain> chains = draw.chains(character);
    const std::vector<Playback> instances(40);
    const std::vector<ChainTarget> targets = draw.targets(40, chains.size());
    for (const LaneCode& lane_code : available_lane_code()) {
      Palettes palettes = in_lanes(evaluator_of(*baked, character, chains, lane_code.name), instances, targets);
      for (size_t i = 0; i < 40; ++i) {
        EXPECT_TRUE(std::isfinite(test::largest_distance(character, palettes.of(i), palettes.of(0), 0.1)))
            << lane_code.name;
      }
    }
  }
}

TEST(ChainsInLanes, FaultsAreNamed) {
  const ChainCrowd crowd(Scaling::kPerAxis, 4);
  CrowdEvaluator evaluator = crowd.evaluator();
  std::vector<Matrix3x4> palettes(128);
  std::vector<CompactMatrix> compact(128);
  const auto message = [&](const EvaluationInfo& info) { return message_of(evaluator.evaluate(info)); };
  const auto targets_of = [&](const std::vector<ChainTarget>& targets) {
    EvaluationScratch scratch;
    const Status of_exact = evaluate_exact(crowd.character, crowd.instances, 32, palettes, scratch,
                                           std::span(&crowd.mask, 1), {crowd.chains, targets});
    const std::string said = message({crowd.instances, targets, 32, palettes, {}, {}});
    EXPECT_EQ(message_of(of_exact), said);
    return said;
  };
  EXPECT_EQ(targets_of({{4, 0}}), "target 0: there is no instance 4");
  EXPECT_EQ(targets_of({{0, 0}, {1, 31}}), "target 1: there is no chain 31");
  EXPECT_EQ(targets_of({{1, 0}, {0, 0}}), "target 1: instances do not ascend");
  EXPECT_EQ(message({crowd.instances, {}, 32, palettes, compact, {}}), "palettes: there is room for both kinds");
  EXPECT_EQ(message({crowd.instances, {}, 32, {}, compact, {}}),
            "compact palettes: the clips of this character scale joints");
  const Character other = random_rig({.joints = 29});
  EXPECT_EQ(evaluator.set_chains(other, {}).error().message, "chains: the bake is not of this character and skin");
  const std::vector<Chain> faulty{{"limb", TwoBoneChain{}}};
  EXPECT_EQ(evaluator.set_chains(crowd.character, faulty).error().message,
            "chain 'limb': joint 'joint 0' is not below joint 'joint 0'");
  EXPECT_EQ(targets_of({{0, 0}}), "") << "the chains are unchanged";
  EXPECT_FALSE(CrowdEvaluator().set_chains(other, {}));
}

}  // namespace
}  // namespace sinew
