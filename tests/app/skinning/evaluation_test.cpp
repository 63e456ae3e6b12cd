// What a bake says of its error, and what the default scene plays. The program's own validation and tests/animation
// compare palettes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "built_in.h"
#include "instances.h"
#include "scene/baking.h"
#include "scene/scene.h"

namespace sinew::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The built-in character with a single clip: its root alternates between two positions, one key each.
Model oscillating(std::vector<float> times, Interpolation interpolation) {
  Model model = test::built_in();
  JointTracks tracks;
  for (size_t key = 0; key < times.size(); ++key) tracks.translation.values.push_back({key % 2 ? 0.3f : 0, 0, 0});
  tracks.translation.times_seconds = std::move(times);
  tracks.translation.interpolation = interpolation;
  Clip clip{"shaken", 0, 0, {tracks}};
  set_time_range(clip);
  model.character.clips = {clip};
  model.arm_overlay.reset();
  return model;
}

TEST(Baking, WarnsIfTheErrorBoundCannotBeMet) {
  std::vector<float> times;
  for (int key = 0; key < 500; ++key) times.push_back(float(key) / 1000);
  std::vector<Model> models;
  models.push_back(oscillating(times, Interpolation::kLinear));
  const auto report = must(bake_models(models));
  EXPECT_GT(report.error_mm, 100);
  ASSERT_EQ(report.warnings.size(), 1u);
  for (const char* words : {"character: 1 of 1 clips", "('shaken', at ", ", joint '", " s; 0.1000 mm asked"})
    EXPECT_THAT(report.warnings[0], HasSubstr(words));
  const Playback playback{{{0, 0.1f, 1}}};
  EXPECT_DOUBLE_EQ(allowed_error(models[0].baked, playback) - kFloatSums, double(models[0].baked.clips[0].error));
}

TEST(Baking, DoesNotWarnIfTheErrorBoundIsMet) {
  std::vector<Model> models = test::built_in_models();
  const auto report = must(bake_models(models));
  EXPECT_THAT(report.warnings, ::testing::IsEmpty());
  EXPECT_EQ(report.max_error_mm, 0.1);
  EXPECT_LE(report.error_mm, report.max_error_mm);
}

TEST(Baking, RefusesTooLongClipsAndSuggestsTheExactEvaluator) {
  std::vector<Model> models;
  models.push_back(oscillating({0, 1e9f}, Interpolation::kLinear));
  EXPECT_THAT(must_fail(bake_models(models)).message,
              AllOf(HasSubstr("character: "), HasSubstr("'shaken'"), HasSubstr("--evaluator exact")));
}

TEST(AllowedError, GrowsWhenClipsAreBlended) {
  std::vector<Model> models = test::built_in_models();
  ASSERT_TRUE(bake_models(models));
  const Playback blend{{{0, 0.1f, 1}, {1, 0.1f, 1}}};
  EXPECT_NEAR(allowed_error(models[0].baked, blend), 1.4143e-4 + kFloatSums, 1e-8);
}

/// The number of instances that cross-fade between two clips, and the number with a masked layer.
std::pair<int, int> count_blends(const Model& model, int instance_count, double seconds) {
  int fading = 0, masked = 0;
  for (const CrowdInstance& instance : test::instances_of(make_scene({&model, 1}, uint32_t(instance_count), 1))) {
    const Playback playback = playback_at(model, test::pace_of(instance), seconds);
    fading += playback.layers[1].weight > 0 && playback.layers[1].mask == 0;
    for (const Layer& layer : playback.layers) masked += layer.weight > 0 && layer.mask == kArmMask;
  }
  return {fading, masked};
}

TEST(DefaultScene, HasCrossFadesAndMaskedLayersAtAllTimes) {
  const std::vector<Model> models = test::built_in_models();
  for (double seconds = 0; seconds < 60; seconds += 7.3) {
    const auto [fading, masked] = count_blends(models[0], 1000, seconds);
    EXPECT_GT(fading, 20) << seconds;
    EXPECT_GT(masked, 20) << seconds;
  }
}

TEST(DefaultScene, PlaysTheOnlyClipWithoutBlending) {
  std::vector<Model> models = test::built_in_models();
  models[0].character.clips.resize(1);
  models[0].clips = {0};
  models[0].arm_overlay = find_arm_overlay(models[0].character);
  EXPECT_EQ(count_blends(models[0], 200, 12), (std::pair{0, 0}));
}

}  // namespace
}  // namespace sinew::app
