// Levels of detail with palettes of their own through the C interface: what it evaluates is what C++ has.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "merged_level.h"
#include "sinew/animation/evaluator.h"
#include "sinew/c/sinew.h"
#include "sinew/import/model.h"

namespace sinew {
namespace {

constexpr uint32_t kMerged = 2;

const SharedModel& model() {
  static const SharedModel made = [] {
    const auto loaded = load_model(SINEW_SOURCE_DIR "/assets/character.glb",
                                   {.levels = {.triangle_shares = {}, .small_levels = false}});
    EXPECT_TRUE(loaded) << loaded.error().message;
    return std::make_shared<Model>(test::with_merged_level(**loaded));
  }();
  return made;
}

class LevelPalettesInC : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();  // tests run side by side
    const std::string path = testing::TempDir() + "level_palettes_of_c_" + name + ".sinew";
    ASSERT_TRUE(write_model_file(path, *model()));
    expect_ok(sinew_character_load(path.c_str(), &handle_, &error_));
    std::remove(path.c_str());
    expect_ok(sinew_character_bake(handle_, nullptr, &error_));
    playback_.layers[0] = {0, 0.4f, 1, 0};
    std::memcpy(static_cast<void*>(&playback_of_c_), &playback_, sizeof playback_);
  }
  void TearDown() override { sinew_character_destroy(handle_); }

  void expect_ok(SinewResult result) { EXPECT_EQ(result, SINEW_OK) << error_.message; }

  SinewEvaluateInfo evaluate_info(std::vector<Matrix3x4>& palette) const {
    SinewEvaluateInfo info = SINEW_INIT(SinewEvaluateInfo);
    info.instance_count = 1, info.playbacks = &playback_of_c_;
    info.palettes = reinterpret_cast<SinewMatrix3x4*>(palette.data());
    info.palette_count = palette.size(), info.palette_stride = uint32_t(palette.size());
    return info;
  }

  SinewError error_ = SINEW_INIT(SinewError);
  SinewCharacter* handle_ = nullptr;
  Playback playback_;
  SinewPlayback playback_of_c_ = {};
};

TEST_F(LevelPalettesInC, AreDescribed) {
  SinewLevelPalette whole = SINEW_INIT(SinewLevelPalette), fine = whole, own = whole;
  expect_ok(sinew_character_level_palette(handle_, 0, &whole, &error_));
  expect_ok(sinew_character_level_palette(handle_, 1, &fine, &error_));
  expect_ok(sinew_character_level_palette(handle_, kMerged, &own, &error_));
  EXPECT_EQ(whole.own, 0u);
  EXPECT_EQ(fine.own, 0u);
  EXPECT_EQ(own.own, 1u);
  EXPECT_EQ(fine.palette_size, model()->skin(0).palette_size());
  EXPECT_EQ(own.palette_size, model()->skin(kMerged).palette_size());
  EXPECT_EQ(whole.target_count, model()->mesh(0).target_count());
  EXPECT_EQ(own.target_count, 0u);
  EXPECT_EQ(own.scale, model()->bake(kMerged).scale);
  EXPECT_EQ(own.scaling, uint32_t{SINEW_SCALING_NONE});
}

TEST_F(LevelPalettesInC, AreEvaluatedAsInCpp) {
  std::vector<Matrix3x4> expected(model()->skin(kMerged).palette_size()), found(expected.size());
  SinewEvaluateInfo info = evaluate_info(found);
  ASSERT_TRUE(CrowdEvaluator(model()->bake(kMerged)).evaluate({&playback_, 1}, info.palette_stride, expected));
  SinewEvaluator* evaluator = nullptr;
  expect_ok(sinew_evaluator_create_for_level(handle_, kMerged, &evaluator, &error_));
  expect_ok(sinew_evaluator_evaluate(evaluator, &info, &error_));
  EXPECT_TRUE(found == expected);
  sinew_evaluator_destroy(evaluator);

  EvaluationScratch scratch;
  ASSERT_TRUE(evaluate_exact(model()->character, model()->skin(kMerged), {&playback_, 1}, info.palette_stride, expected,
                             scratch));
  info.level = kMerged;
  expect_ok(sinew_character_evaluate_exact(handle_, &info, &error_));
  EXPECT_TRUE(found == expected);
}

TEST_F(LevelPalettesInC, AreBakedAgainWithNewClips) {
  SinewCharacter* from = nullptr;
  SinewImportOptions options = SINEW_INIT(SinewImportOptions);
  options.allow_no_mesh = 1;
  expect_ok(sinew_character_import(SINEW_SOURCE_DIR "/assets/extra_clips.glb", &options, &from, &error_));
  ASSERT_NE(from, nullptr);
  expect_ok(sinew_character_retarget_clips(handle_, from, &error_));
  expect_ok(sinew_character_bake(handle_, nullptr, &error_));
  SinewEvaluator* evaluator = nullptr;
  expect_ok(sinew_evaluator_create_for_level(handle_, kMerged, &evaluator, &error_));
  std::vector<Matrix3x4> rest(model()->skin(kMerged).palette_size()), posed(rest.size());
  SinewEvaluateInfo info = evaluate_info(posed);
  playback_of_c_.layers[0].clip = uint32_t(model()->character.clips.size());
  expect_ok(sinew_evaluator_evaluate(evaluator, &info, &error_));
  info = evaluate_info(rest);
  playback_of_c_ = {};
  expect_ok(sinew_evaluator_evaluate(evaluator, &info, &error_));
  EXPECT_FALSE(rest == posed) << "the new clip is not in the bake of the level";
  sinew_evaluator_destroy(evaluator);
  sinew_character_destroy(from);
}

}  // namespace
}  // namespace sinew
