// Evaluation of playbacks to palettes: identical for any number of threads, and within the error bound of the bake.
#include "skinning/evaluation.h"
#include "instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "asset/larger_error.h"
#include "child.h"
#include "scene/baking.h"
#include "scene/scene.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";

std::vector<Model> models_of(const std::vector<std::string>& files) {
  std::vector<Model> models;
  for (const std::string& file : files) {
    auto model = load_model(file, {});
    EXPECT_TRUE(model) << (model ? "" : model.error().message);
    if (model) models.push_back(std::move(*model));
  }
  return models;
}

/// Palettes of a scene's first batch, each on whole cache lines.
class Palettes {
 public:
  Palettes(const Model& model, const Scene& scene)
      : palette_size_(model.character.skin.palette_size()),
        stride_(sinew::palette_stride(palette_size_, model.character.mesh.target_count())),
        cache_lines_(scene.batches[0].instance_count * stride_ / 4) {}

  uint32_t stride() const { return stride_; }
  std::span<Matrix3x4> all() { return {cache_lines_.data()->matrices, cache_lines_.size() * 4}; }
  std::span<const Matrix3x4> of(size_t instance) { return all().subspan(instance * stride_, palette_size_); }
  bool operator==(Palettes& other) {
    return std::memcmp(cache_lines_.data(), other.cache_lines_.data(), cache_lines_.size() * sizeof(CacheLine)) == 0;
  }

 private:
  struct alignas(64) CacheLine {
    Matrix3x4 matrices[4];
  };
  uint32_t palette_size_, stride_;
  std::vector<CacheLine> cache_lines_;
};

std::vector<Playback> playbacks_at(const Model& model, const Scene& scene, double seconds) {
  std::vector<Playback> playbacks;
  for (uint32_t i = 0; i < scene.batches[0].instance_count; ++i)
    playbacks.push_back(playback_at(model, scene.pace(i), seconds));
  return playbacks;
}

Palettes evaluate_exactly(std::span<const Model> models, const Scene& scene, double seconds, uint32_t threads) {
  Palettes palettes(models[0], scene);
  Evaluation evaluation(models, threads);
  vulkan::InstanceRange range;
  range.palettes = palettes.all(), range.palette_stride = palettes.stride();
  const auto writer = evaluation.writer();
  EXPECT_TRUE(writer.write(writer.user_data, 0, 0, playbacks_at(models[0], scene, seconds), range));
  return palettes;
}

Palettes evaluate_baked(const Model& model, const Scene& scene, double seconds) {
  Palettes palettes(model, scene);
  CrowdEvaluator evaluator(model.baked);
  for (const NamedMask& mask : model.masks) EXPECT_TRUE(evaluator.add_mask(mask.factors));
  EXPECT_TRUE(evaluator.evaluate(playbacks_at(model, scene, seconds), palettes.stride(), palettes.all()));
  return palettes;
}

/// Compares the crowd evaluator with the exact one at several times. Returns the largest error as a share of the error
/// that is allowed there.
double max_error_share(const std::string& file, uint32_t instance_count) {
  std::vector<Model> models = models_of({file});
  EXPECT_TRUE(bake_models(models));
  const Model& model = models[0];
  const BakeMeasure measure = measure_of(model.character, model.baked);
  const Scene scene = make_scene(models, instance_count, 1);
  double max_share = 0;
  for (double seconds = 0; seconds < 30; seconds += 1.7) {
    Palettes expected = evaluate_exactly(models, scene, seconds, 1), found = evaluate_baked(models[0], scene, seconds);
    for (uint32_t i = 0; i < instance_count; ++i) {
      const Playback playback = playback_at(model, scene.pace(i), seconds);
      const auto allowed = allowed_error(model.character, model.baked, playback);
      if (!allowed) continue;
      max_share =
          sinew::internal::larger_error(max_share, distance_between(measure, expected.of(i), found.of(i)) / *allowed);
    }
  }
  return max_share;
}

TEST(Evaluation, OfTheBuiltInCharacterIsWithinTheAllowedError) {
  const double share = max_error_share(kBuiltIn, 100);
  EXPECT_LE(share, 1);
  EXPECT_GT(share, 0.01) << "no difference: the crowd evaluator was not used";
}

TEST(Evaluation, OfRealModelsIsWithinTheAllowedError) {
  for (const char* file : {"models/khronos/Fox.glb", "models/cesium/CesiumMan.glb", "models/quaternius/Trex.fbx"}) {
    const std::string path = test::shared(file);
    SINEW_SKIP_WITHOUT(path);
    EXPECT_LE(max_error_share(path, 50), 1) << file;
  }
}

TEST(Evaluation, IsIdenticalForAnyNumberOfThreads) {
  const std::vector<Model> models = models_of({kBuiltIn});
  const Scene scene = make_scene(models, 700, 1);
  Palettes one = evaluate_exactly(models, scene, 20, 1);
  for (const uint32_t threads : {2u, 8u}) {
    Palettes many = evaluate_exactly(models, scene, 20, threads);
    EXPECT_TRUE(one == many) << threads << " threads";
  }
}

/// The built-in character with a single clip: its root alternates between two positions, one key each.
Model oscillating(std::vector<float> times, Interpolation interpolation) {
  Model model = std::move(models_of({kBuiltIn})[0]);
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
  const auto report = bake_models(models);
  ASSERT_TRUE(report);
  EXPECT_GT(report->error_mm, 100);
  ASSERT_EQ(report->warnings.size(), 1u);
  for (const char* words : {"character: 1 of 1 clips", "('shaken', at ", "0.1000 mm asked"}) {
    EXPECT_THAT(report->warnings[0], HasSubstr(words));
  }
  const Playback playback{{{0, 0.1f, 1}}};
  EXPECT_DOUBLE_EQ(*allowed_error(models[0].character, models[0].baked, playback) - kFloatSums,
                   double(models[0].baked.clips[0].error));
}

TEST(Baking, DoesNotWarnIfTheErrorBoundIsMet) {
  std::vector<Model> models = models_of({kBuiltIn});
  const auto report = bake_models(models);
  ASSERT_TRUE(report);
  EXPECT_THAT(report->warnings, ::testing::IsEmpty());
  EXPECT_EQ(report->max_error_mm, 0.1);
  EXPECT_LE(report->error_mm, report->max_error_mm);
}

TEST(Baking, RefusesTooLongClipsAndSuggestsTheExactEvaluator) {
  std::vector<Model> models;
  models.push_back(oscillating({0, 1e9f}, Interpolation::kLinear));
  const auto report = bake_models(models);
  ASSERT_FALSE(report);
  for (const char* words : {"character: ", "'shaken'", "--evaluator exact"}) {
    EXPECT_THAT(report.error().message, HasSubstr(words));
  }
}

TEST(AllowedError, IsAbsentInTheFrameOfADiscontinuity) {
  std::vector<Model> models;
  models.push_back(oscillating({0, 0.5f, 1}, Interpolation::kStep));
  ASSERT_TRUE(bake_models(models));
  const auto allowed = [&](float time) {
    return allowed_error(models[0].character, models[0].baked, Playback{{{0, time, 1}}});
  };
  const float frame = 1 / float(models[0].baked.clips[0].frames_per_second);
  EXPECT_FALSE(allowed(0.5f));
  for (const float time : {0.0f, 0.5f - 1.5f * frame, 0.5f + 1.5f * frame}) {
    ASSERT_TRUE(allowed(time)) << time;
    EXPECT_NEAR(*allowed(time), 1e-4 + kFloatSums, 1e-9);
  }
}

TEST(AllowedError, GrowsWhenClipsAreBlended) {
  std::vector<Model> models = models_of({kBuiltIn});
  ASSERT_TRUE(bake_models(models));
  const Playback blend{{{0, 0.1f, 1}, {1, 0.1f, 1}}};
  EXPECT_NEAR(*allowed_error(models[0].character, models[0].baked, blend), 1.4143e-4 + kFloatSums, 1e-8);
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
  const std::vector<Model> models = models_of({kBuiltIn});
  for (double seconds = 0; seconds < 60; seconds += 7.3) {
    const auto [fading, masked] = count_blends(models[0], 1000, seconds);
    EXPECT_GT(fading, 20) << seconds;
    EXPECT_GT(masked, 20) << seconds;
  }
}

TEST(DefaultScene, PlaysTheOnlyClipWithoutBlending) {
  std::vector<Model> models = models_of({kBuiltIn});
  models[0].character.clips.resize(1);
  models[0].clips = {0};
  models[0].arm_overlay = find_arm_overlay(models[0].character);
  EXPECT_EQ(count_blends(models[0], 200, 12), (std::pair{0, 0}));
}

}  // namespace
}  // namespace sinew::app
