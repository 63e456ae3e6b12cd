// Chains carry no vertex further out of its bounds than measure_chain_margin() says.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bounds_subject.h"
#include "random_chains.h"
#include "sinew/animation/bounds.h"

namespace sinew {
namespace {

using test::ChainDraw;
using test::Palettes;
using test::RigOptions;
using test::Scaling;
using test::Subject;
using test::with_mesh;

float margin_of(const Subject& subject, const std::vector<Chain>& chains) {
  const Result<float> margin = measure_chain_margin(subject.character, subject.baked, chains);
  EXPECT_TRUE(margin) << (margin ? "" : margin.error().message);
  return margin ? *margin : 0;
}

/// The vertices of an instance.
std::vector<Vec3> skinned(const Subject& subject, const CrowdEvaluator& evaluator, const Playback& playback,
                          const std::vector<ChainTarget>& targets) {
  Palettes palettes(1, subject.baked.palette_size);
  EXPECT_TRUE(evaluator.evaluate({.instances = {&playback, 1},
                                  .targets = targets,
                                  .palette_stride = palettes.stride(),
                                  .palettes = palettes.all()}));
  return test::skinned_positions(subject.character.mesh, palettes.of(0));
}

/// How far a vertex moves at most, of `times` playbacks with targets in all directions.
double largest_way(const Subject& subject, const std::vector<Chain>& chains, ChainDraw& draw, int times) {
  CrowdEvaluator evaluator(subject.baked);
  EXPECT_TRUE(evaluator.set_chains(subject.character, chains));
  std::mt19937 random(3);
  double largest = 0;
  for (int i = 0; i < times; ++i) {
    Playback playback;
    for (int layer = 0; layer <= i % 3 && !subject.baked.clips.empty(); ++layer)
      playback.layers[layer] = subject.any_layer(random);
    for (Layer& layer : playback.layers) layer.mask = 0;  // of the subject's evaluator
    std::vector<ChainTarget> targets;
    for (uint32_t chain = 0; chain < chains.size(); ++chain) targets.push_back({0, chain, draw.vector(9), 1});
    const auto before = skinned(subject, evaluator, playback, {}),
               after = skinned(subject, evaluator, playback, targets);
    for (size_t v = 0; v < before.size(); ++v) largest = std::max(largest, double(length(after[v] - before[v])));
  }
  return largest;
}

class ChainMargin : public testing::TestWithParam<RigOptions> {};

TEST_P(ChainMargin, HoldsForAnyTargets) {
  int moved = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    RigOptions options = GetParam();
    options.seed = seed;
    Character character = with_mesh(options);
    if (seed % 3 == 0) character.mesh.blend = Blend::kDualQuaternion;
    const Subject subject(std::move(character));
    ChainDraw draw(seed);
    const std::vector<Chain> chains = draw.chains(subject.character);
    const double way = largest_way(subject, chains, draw, 60), margin = double(margin_of(subject, chains));
    EXPECT_LE(way, margin) << "rig " << seed;
    moved += way > 0;
  }
  EXPECT_GT(moved, 6) << "rigs with chains";
}

INSTANTIATE_TEST_SUITE_P(Rigs, ChainMargin,
                         testing::Values(RigOptions{.joints = 12, .clips = 3},
                                         RigOptions{.joints = 24, .clips = 2, .scaling = Scaling::kUniform},
                                         RigOptions{.joints = 12, .clips = 2, .scaling = Scaling::kPerAxis}));

/// A leg of two bones of a meter and a foot, straight down; targets lift it to the side.
Subject leg_subject() {
  Character character;
  const Transform down{{0, -1, 0}, {}, {1, 1, 1}};
  character.skeleton = {
      {"hip", "thigh", "shin", "foot"}, {kNoJoint, 0, 1, 2}, {{{0, 2, 0}, {}, {1, 1, 1}}, {}, down, down}, {}};
  const float heights[] = {2, 2, 1, 0};
  for (int32_t joint = 0; joint < 4; ++joint)
    character.skin.entries.push_back({joint, to_matrix({{0, -heights[joint], 0}, {}, {1, 1, 1}})});
  character.materials.emplace_back();
  test::add_mesh(character, 3, 0, 1);
  return Subject(std::move(character));
}

TEST(ChainMargin, IsTwiceTheReachOfALeg) {
  const Subject subject = leg_subject();
  const std::vector<Chain> chains{{"leg", TwoBoneChain{1, 2, 3, {0, 0, 1}}}};
  EXPECT_NEAR(margin_of(subject, chains), 4, 0.01) << "two bones of a meter, twice";
  ChainDraw draw(1);
  EXPECT_GT(largest_way(subject, chains, draw, 2000), 3.4) << "a leg swings by 135 degrees";
  const std::vector<Chain> foot{{"foot", AimChain{{{3}}, {0, 0, 1}}}};
  EXPECT_NEAR(margin_of(subject, foot), 0, 0.01) << "all vertices are at its joint";
  const std::vector<Chain> hip_and_shin{{"hip", AimChain{{{0}}, {0, 0, 1}}}, {"shin", AimChain{{{2}}, {0, 0, 1}}}};
  EXPECT_NEAR(margin_of(subject, hip_and_shin), 6, 0.01) << "a chain that hangs on another adds its own";
  EXPECT_EQ(margin_of(subject, {}), 0);
}

TEST(ChainMargin, FaultsAreErrors) {
  const Subject subject = leg_subject();
  const std::vector<Chain> faulty{{"leg", TwoBoneChain{1, 2, 9, {0, 0, 1}}}};
  EXPECT_EQ(measure_chain_margin(subject.character, subject.baked, faulty).error().code, ErrorCode::kInvalidArgument);
  BakedCharacter other = subject.baked;
  other.palette_size = 1;
  EXPECT_FALSE(measure_chain_margin(subject.character, other, {}));
}

}  // namespace
}  // namespace sinew
