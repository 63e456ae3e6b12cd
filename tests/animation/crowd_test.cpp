#include "sinew/animation/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sinew {
namespace {

/// Two joints. "slide" moves the root along x from 0 to 10 within 1 s, "rise" along y from 0 to 20 within 2 s.
Character slider() {
  Character character;
  character.skeleton = {{"root", "tip"}, {kNoJoint, 0}, {{{1, 0, 0}, {}, {1, 1, 1}}, {{0, 0, 5}, {}, {1, 1, 1}}}, {}};
  character.skin.entries = {{0, {}}, {1, {}}, {kNoJoint, {}}};
  JointTracks slide, rise;
  slide.translation = {{0, 1}, {{0, 0, 0}, {10, 0, 0}}, Interpolation::kLinear};
  rise.translation = {{0, 2}, {{0, 0, 0}, {0, 20, 0}}, Interpolation::kLinear};
  character.clips = {{"slide", 0, 1, {slide}}, {"rise", 0, 2, {rise}}};
  return character;
}

std::vector<Matrix3x4> evaluate(const std::vector<Playback>& instances, uint32_t stride) {
  Matrix3x4 poison;
  for (auto& row : poison.m) std::fill(row, row + 4, NAN);
  std::vector<Matrix3x4> palettes(instances.size() * stride, poison);
  EvaluationScratch scratch;
  EXPECT_TRUE(evaluate_exact(slider(), instances, stride, palettes, scratch));
  return palettes;
}

TEST(EvaluateCrowd, EachInstanceHasItsOwnClipAndTime) {
  const auto palettes = evaluate({{{{0, 0.5f, 1}}}, {{{1, 1.5f, 1}}}}, 4);
  EXPECT_EQ(palettes[0].m[0][3], 5);
  EXPECT_EQ(palettes[1].m[0][3], 5);
  EXPECT_EQ(palettes[1].m[2][3], 5);
  EXPECT_EQ(palettes[2].m[0][3], 0) << "a constant";
  EXPECT_EQ(palettes[4].m[1][3], 15);
  EXPECT_EQ(palettes[4].m[0][3], 0);
}

TEST(EvaluateCrowd, MatricesBetweenPalettesAreNotWritten) {
  const auto palettes = evaluate({Playback{}, Playback{}}, 4);
  EXPECT_TRUE(std::isnan(palettes[3].m[0][0]));
  EXPECT_TRUE(std::isnan(palettes[7].m[0][0]));
  EXPECT_FALSE(std::isnan(palettes[6].m[0][0]));
}

TEST(EvaluateCrowd, TwoLayersAreBlended) {
  const auto palettes = evaluate({{{{0, 1, 3}, {1, 2, 1}}}}, 3);
  EXPECT_EQ(palettes[0].m[0][3], 7.5f);
  EXPECT_EQ(palettes[0].m[1][3], 5);
}

TEST(EvaluateCrowd, SecondLayerMayBeTheOnlyOne) {
  const auto palettes = evaluate({{{{0, 1, 0}, {1, 2, 0.25f}}}}, 3);
  EXPECT_EQ(palettes[0].m[0][3], 0);
  EXPECT_EQ(palettes[0].m[1][3], 20);
}

TEST(EvaluateCrowd, InstanceWithoutWeightOrClipHasTheRestPose) {
  const auto palettes = evaluate({{{{0, 1, 0}}}, {{{9, 1, 1}}}}, 3);
  EXPECT_EQ(palettes[0].m[0][3], 1);
  EXPECT_EQ(palettes[3].m[0][3], 1);
}

/// Of a character with other joints, for example.
TEST(EvaluateCrowd, MasksOfAnotherLengthAreRefused) {
  const Playback playing{{{0, 0.5f, 1}, {1, 0.5f, 1, 2}}};
  std::vector<Matrix3x4> palette(3);
  palette[0].m[0][0] = 7;
  EvaluationScratch scratch;
  for (const size_t length : {1, 3}) {
    const std::vector<std::vector<float>> masks = {{1, 0}, std::vector<float>(length, 1.0f)};
    const Status status = evaluate_exact(slider(), {&playing, 1}, 3, palette, scratch, masks);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "mask 2: it has " + std::to_string(length) + " factors for 2 joints");
    EXPECT_EQ(palette[0].m[0][0], 7);
  }
  EXPECT_TRUE(evaluate_exact(slider(), {&playing, 1}, 3, palette, scratch, std::vector<std::vector<float>>{{1, 0}, {}}))
      << "without factors: all joints";
}

TEST(EvaluateCrowd, ScratchCarriesNothingFromOneInstanceToTheNext) {
  const auto together = evaluate({{{{0, 1, 1}, {1, 2, 1}}}, {{{1, 1, 1}}}}, 3);
  const auto alone = evaluate({{{{1, 1, 1}}}}, 3);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(together[3 + i].m[1][3], alone[i].m[1][3]);
}

}  // namespace
}  // namespace sinew
