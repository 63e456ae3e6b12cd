// evaluate(): from what instances play to their palettes in a range, with every size checked.
#include "sinew/vulkan/evaluate.h"

#include "embedding/common/tube.h"
#include "sinew/animation/bake.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::PaletteFormat;

/// A tube with two joints that move no vertex: one has an entry in the palette.
Character make_character() {
  Character tube = make_tube();
  for (int joint = 0; joint < 2; ++joint) {
    tube.skeleton.joint_names.push_back("hand");
    tube.skeleton.parents.push_back(int32_t(kJoints) - 1);
    tube.skeleton.rest_pose.push_back({});
  }
  EXPECT_TRUE(add_palette_entry(tube, kJoints));
  return tube;
}

void add_target(Character& character) {
  MorphTarget target{.name = "wide", .vertices = {0, 5}, .positions = {{1, 0, 0}, {0, 1, 0}}};
  target.rest_weight = 0.25f;
  character.mesh.targets.push_back(target);
}

class Evaluating : public SkinnerTest {
 protected:
  /// A range of `count` instances of the character's mesh.
  vulkan::InstanceRange range_of(const Character& character, uint32_t count,
                                 PaletteFormat format = PaletteFormat::kMatrices) {
    skinner_ = make_skinner(skinner_info());
    const auto id = skinner_.add_mesh(character.mesh, character.skin.palette_size(), "tube", {}, {format});
    EXPECT_TRUE(id);
    const vulkan::SkinnerBatch batch{*id, count};
    EXPECT_TRUE(test::prepare(skinner_, {.number = 1}, {&batch, 1}));
    return skinner_.ranges()[0];
  }

  vulkan::Skinner skinner_;
};

std::vector<Playback> make_playbacks(uint32_t count) {
  std::vector<Playback> playbacks(count);
  for (uint32_t i = 0; i < count; ++i) playbacks[i].layers[0] = {0, 0.1f * float(i), 1};
  return playbacks;
}

TEST_F(Evaluating, WritesPalettesAndWeightsOfARange) {
  Character character = make_character();
  add_target(character);
  const auto baked = bake(character);
  ASSERT_TRUE(baked) << baked.error().message;
  const CrowdEvaluator evaluator(*baked);
  const std::vector<Playback> playbacks = make_playbacks(7);
  for (const PaletteFormat format : {PaletteFormat::kMatrices, PaletteFormat::kCompact}) {
    const vulkan::InstanceRange range = range_of(character, 7, format);
    EXPECT_EQ(range.palette_size, kJoints + 1);
    ASSERT_EQ(message_of(evaluate(evaluator, playbacks, range)), "");
    std::vector<Matrix3x4> expected(range.palettes.size() + range.compact_palettes.size());
    ASSERT_TRUE(evaluator.evaluate(playbacks, range.palette_stride, expected));
    for (size_t i = 0; i < 7; ++i) {
      const size_t last = i * range.palette_stride + kJoints;
      const Matrix3x4 got =
          range.palettes.empty() ? expand(range.compact_palettes[last], baked->scale) : range.palettes[last];
      EXPECT_NEAR(got.m[1][3], expected[last].m[1][3], 1e-4f) << i;
      EXPECT_NEAR(got.m[0][1], expected[last].m[0][1], 1e-4f) << i;
      EXPECT_EQ(range.weights[i * range.weight_stride], 0.25f) << i;
    }
  }
}

TEST_F(Evaluating, RefusesWhatDoesNotFitTogether) {
  Character character = make_character();
  const auto baked = bake(character);
  ASSERT_TRUE(baked);
  const CrowdEvaluator evaluator(*baked);
  const auto playbacks = make_playbacks(3);
  const vulkan::InstanceRange range = range_of(character, 3);
  EXPECT_EQ(message_of(evaluate({}, playbacks, range)), "evaluate: the evaluator is empty");
  EXPECT_EQ(message_of(evaluate(evaluator, std::span(playbacks).first(2), range)),
            "evaluate: 2 playbacks for a range of 3 instances");
  EXPECT_EQ(message_of(evaluate(evaluator, playbacks, range)), "");

  Character morphed = character;
  add_target(morphed);
  EXPECT_EQ(message_of(evaluate(evaluator, playbacks, range_of(morphed, 3))),
            "evaluate: the bake has 0 morph targets, and the mesh 1");

  // The strides are equal: 8 matrices.
  ASSERT_TRUE(add_palette_entry(character, kJoints + 1));
  const vulkan::InstanceRange later = range_of(character, 3);
  ASSERT_EQ(later.palette_stride, palette_stride(baked->palette_size));
  const Matrix3x4 before = later.palettes[0];
  EXPECT_EQ(message_of(evaluate(evaluator, playbacks, later)),
            "evaluate: the bake has 5 palette entries, and the mesh 6: bake() comes after add_palette_entry()");
  EXPECT_EQ(later.palettes[0].m[0][1], before.m[0][1]) << "nothing is written";
}

}  // namespace
}  // namespace sinew::test
