// What a crowd plays becomes palettes: the same for any number of threads, and within what the bake allows itself.
#include "crowd/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

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

/// Palettes of a scene's first batch, on whole lines.
class Palettes {
 public:
  Palettes(const Model& model, const Scene& scene)
      : palette_size_(model.character.skin.palette_size()),
        stride_((palette_size_ + 3) / 4 * 4),
        lines_(scene.batches[0].instance_count * stride_ / 4) {}

  uint32_t stride() const { return stride_; }
  std::span<Matrix3x4> all() { return {lines_.data()->matrices, lines_.size() * 4}; }
  std::span<const Matrix3x4> of(size_t member) { return all().subspan(member * stride_, palette_size_); }
  bool operator==(Palettes& other) {
    return std::memcmp(lines_.data(), other.lines_.data(), lines_.size() * sizeof(Line)) == 0;
  }

 private:
  struct alignas(64) Line {
    Matrix3x4 matrices[4];
  };
  uint32_t palette_size_, stride_;
  std::vector<Line> lines_;
};

std::vector<Playback> played(const Model& model, const Scene& scene, double seconds) {
  std::vector<Playback> playbacks;
  for (uint32_t i = 0; i < scene.batches[0].instance_count; ++i)
    playbacks.push_back(playback_at(model, scene.instances[i], seconds));
  return playbacks;
}

Palettes evaluate(std::span<const Model> models, const Scene& scene, double seconds, uint32_t threads) {
  Palettes palettes(models[0], scene);
  auto evaluation = Evaluation::create(models, threads);
  EXPECT_TRUE(evaluation);
  (*evaluation)->evaluate({0, played(models[0], scene, seconds), palettes.stride(), palettes.all()});
  return palettes;
}

/// Both evaluators at several moments; returns the largest share of what the bake allows itself.
double largest_share(const std::string& file, uint32_t members) {
  std::vector<Model> exact = models_of({file}), baked = models_of({file});
  EXPECT_TRUE(bake_models(baked));
  const Scene scene = make_scene(exact, members, 1);
  double largest = 0;
  for (double seconds = 0; seconds < 30; seconds += 1.7) {
    Palettes expected = evaluate(exact, scene, seconds, 1), found = evaluate(baked, scene, seconds, 1);
    for (uint32_t i = 0; i < members; ++i) {
      const Playback playback = playback_at(exact[0], scene.instances[i], seconds);
      const auto allowed = allowed_error(exact[0].character, *baked[0].bake, playback);
      if (!allowed) continue;
      largest = std::max(largest, distance_between(*baked[0].bake, expected.of(i), found.of(i)) / *allowed);
    }
  }
  return largest;
}

TEST(Evaluation, OfTheCrowdsOwnSceneIsWithinWhatTheBakeAllows) {
  const double share = largest_share(kBuiltIn, 100);
  EXPECT_LE(share, 1);
  EXPECT_GT(share, 0.01) << "evaluated exactly, it seems";
}

TEST(Evaluation, OfRealModelsIsWithinWhatTheirBakesAllow) {
  for (const char* file : {"models/khronos/Fox.glb", "models/cesium/CesiumMan.glb", "models/quaternius/Trex.fbx"}) {
    const std::string path = test::shared(file);
    SINEW_SKIP_WITHOUT(path);
    EXPECT_LE(largest_share(path, 50), 1) << file;
  }
}

TEST(Evaluation, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const bool baked : {false, true}) {
    std::vector<Model> models = models_of({kBuiltIn});
    if (baked) {
      ASSERT_TRUE(bake_models(models));
    }
    const Scene scene = make_scene(models, 700, 1);
    Palettes one = evaluate(models, scene, 20, 1);
    for (const uint32_t threads : {2u, 8u}) {
      Palettes many = evaluate(models, scene, 20, threads);
      EXPECT_TRUE(one == many) << threads << " threads, " << (baked ? "crowd" : "exact");
    }
  }
}

TEST(Evaluation, RefusesAMaskOfAnotherSkeleton) {
  std::vector<Model> models = models_of({kBuiltIn});
  ASSERT_TRUE(bake_models(models));
  models[0].arm_overlay->joint_mask.pop_back();
  const auto evaluation = Evaluation::create(models, 1);
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().message, "mask: it has 59 factors for 60 joints");
}

/// The built-in character with one clip instead of its own: its root goes to and fro.
Model shaken(std::vector<float> times, Interpolation interpolation) {
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

TEST(Baking, WarnsWhereTheBoundIsOutOfReach) {
  std::vector<float> times;
  for (int key = 0; key < 500; ++key) times.push_back(float(key) / 1000);
  std::vector<Model> models;
  models.push_back(shaken(times, Interpolation::kLinear));
  const auto report = bake_models(models);
  ASSERT_TRUE(report);
  EXPECT_GT(report->error_mm, 100);
  ASSERT_EQ(report->warnings.size(), 1u);
  for (const char* words : {"character: 1 of 1 clips", "('shaken', at ", "0.1000 mm asked"}) {
    EXPECT_THAT(report->warnings[0], HasSubstr(words));
  }
  const Playback playback{{{0, 0.1f, 1}}};
  EXPECT_DOUBLE_EQ(*allowed_error(models[0].character, *models[0].bake, playback) - kFloatSums,
                   double(models[0].bake->baked.clips[0].error));
}

TEST(Baking, HasNoWarningWhereTheBoundHolds) {
  std::vector<Model> models = models_of({kBuiltIn});
  const auto report = bake_models(models);
  ASSERT_TRUE(report);
  EXPECT_THAT(report->warnings, ::testing::IsEmpty());
  EXPECT_EQ(report->asked_mm, 0.1);
  EXPECT_LE(report->error_mm, report->asked_mm);
}

TEST(Baking, ClipsTooLongAreRefusedWithAWayOut) {
  std::vector<Model> models;
  models.push_back(shaken({0, 1e9f}, Interpolation::kLinear));
  const auto report = bake_models(models);
  ASSERT_FALSE(report);
  for (const char* words : {"character: ", "'shaken'", "--evaluator exact"}) {
    EXPECT_THAT(report.error().message, HasSubstr(words));
  }
}

TEST(AllowedError, HasNoBoundInTheFrameOfALeap) {
  std::vector<Model> models;
  models.push_back(shaken({0, 0.5f, 1}, Interpolation::kStep));
  ASSERT_TRUE(bake_models(models));
  const auto allowed = [&](float time) {
    return allowed_error(models[0].character, *models[0].bake, Playback{{{0, time, 1}}});
  };
  const float frame = 1 / float(models[0].bake->baked.clips[0].frames_per_second);
  EXPECT_FALSE(allowed(0.5f));
  for (const float time : {0.0f, 0.5f - 1.5f * frame, 0.5f + 1.5f * frame}) {
    ASSERT_TRUE(allowed(time)) << time;
    EXPECT_NEAR(*allowed(time), 1e-4 + kFloatSums, 1e-9);
  }
}

TEST(AllowedError, GrowsWhereClipsAreBlended) {
  std::vector<Model> models = models_of({kBuiltIn});
  ASSERT_TRUE(bake_models(models));
  const Playback blend{{{0, 0.1f, 1}, {1, 0.1f, 1}}};
  EXPECT_NEAR(*allowed_error(models[0].character, *models[0].bake, blend), 1.4143e-4 + kFloatSums, 1e-8);
}

/// Of so many members: how many blend two clips, and how many have a masked layer.
std::pair<int, int> blends_of(const Model& model, int members, double seconds) {
  int fading = 0, masked = 0;
  for (const CrowdInstance& instance : make_scene({&model, 1}, uint32_t(members), 1).instances) {
    const Playback playback = playback_at(model, instance, seconds);
    fading += playback.layers[1].weight > 0 && playback.layers[1].mask == 0;
    for (const Layer& layer : playback.layers) masked += layer.weight > 0 && layer.mask == kArmMask;
  }
  return {fading, masked};
}

TEST(DefaultScene, MixesCrossFadesAndMaskedLayersAtEveryMoment) {
  const std::vector<Model> models = models_of({kBuiltIn});
  for (double seconds = 0; seconds < 60; seconds += 7.3) {
    const auto [fading, masked] = blends_of(models[0], 1000, seconds);
    EXPECT_GT(fading, 20) << seconds;
    EXPECT_GT(masked, 20) << seconds;
  }
}

TEST(DefaultScene, OfAModelOfOneClipPlaysItAlone) {
  std::vector<Model> models = models_of({kBuiltIn});
  models[0].character.clips.resize(1);
  models[0].clips = {0};
  models[0].arm_overlay = find_arm_overlay(models[0].character);
  EXPECT_EQ(blends_of(models[0], 200, 12), (std::pair{0, 0}));
}

}  // namespace
}  // namespace sinew::app
