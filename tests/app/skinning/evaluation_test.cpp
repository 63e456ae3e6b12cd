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

using ::testing::HasSubstr;

/// The built-in character with a single clip: its root alternates between two positions, one key each.
TEST(Baking, WarnsIfTheErrorBoundCannotBeMet) {
  std::vector<Model> models = test::built_in_models();
  JointTracks tracks;
  tracks.translation.interpolation = Interpolation::kLinear;
  for (int key = 0; key < 500; ++key) {
    tracks.translation.times_seconds.push_back(float(key) / 1000);
    tracks.translation.values.push_back({key % 2 ? 0.3f : 0, 0, 0});
  }
  Clip clip{"shaken", 0, 0, {tracks}};
  set_time_range(clip);
  models[0].character.clips = {clip};
  models[0].arm_overlay.reset();
  const auto report = must(bake_models(models));
  EXPECT_GT(report.error_mm, 100);
  ASSERT_EQ(report.warnings.size(), 1u);
  for (const char* words : {"character: 1 of 1 clips", "('shaken', at ", ", joint '", " s; 0.1000 mm asked"})
    EXPECT_THAT(report.warnings[0], HasSubstr(words));
  const Playback playback{{{0, 0.1f, 1}}};
  EXPECT_DOUBLE_EQ(allowed_error(models[0].baked, playback) - kFloatSums, double(models[0].baked.clips[0].error));
}

TEST(AllowedError, GrowsWhenClipsAreBlended) {
  std::vector<Model> models = test::built_in_models();
  ASSERT_TRUE(bake_models(models));
  const Playback blend{{{0, 0.1f, 1}, {1, 0.1f, 1}}};
  EXPECT_NEAR(allowed_error(models[0].baked, blend), 1.4143e-4 + kFloatSums, 1e-8);
}

TEST(DefaultScene, HasCrossFadesAndMaskedLayersAtAllTimes) {
  const std::vector<Model> models = test::built_in_models();
  const std::vector<CrowdInstance> instances = test::instances_of(make_scene(models, 1000, 1));
  for (double seconds = 0; seconds < 60; seconds += 7.3) {
    int fading = 0, masked = 0;
    for (const CrowdInstance& instance : instances) {
      const Playback playback = playback_at(models[0], test::pace_of(instance), seconds);
      fading += playback.layers[1].weight > 0 && playback.layers[1].mask == 0;
      for (const Layer& layer : playback.layers) masked += layer.weight > 0 && layer.mask == kArmMask;
    }
    EXPECT_GT(fading, 20) << seconds;
    EXPECT_GT(masked, 20) << seconds;
  }
}

}  // namespace
}  // namespace sinew::app
