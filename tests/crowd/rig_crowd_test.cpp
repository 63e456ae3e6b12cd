// A crowd of random rigs, planned and evaluated without files and without the program: for systems that only build the
// libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "animation/rig.h"
#include "app/scene/exact_poses.h"
#include "crowd/level_of_detail.h"
#include "crowd/motion_paths.h"
#include "crowd_world.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/pose.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd {
namespace {

constexpr uint32_t kInstances = 400, kPerRow = 20;

/// In front of the crowd.
View camera() {
  View view = test::camera_at_origin();
  float* const m = view.clip_from_world;
  view.eye.z = 3;
  m[14] += m[10] * -view.eye.z, m[15] = view.eye.z;
  view.pixels_per_radian = 1000;
  return view;
}

class RigCrowd : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = bake(character_);
    ASSERT_TRUE(made) << made.error().message;
    baked_ = std::move(*made);
    auto measured = measure_bounds(character_, baked_);
    ASSERT_TRUE(measured) << measured.error().message;
    bounds_ = std::move(*measured);
    world_from_model_.clear();
    for (uint32_t i = 0; i < kInstances; ++i) {
      const float x = float(i % kPerRow) * 2 - kPerRow, z = 8 - float(i / kPerRow) * 12;
      world_from_model_.push_back({{{1, 0, 0, x}, {0, 1, 0, 0}, {0, 0, 1, z}}});
    }
    playbacks_.resize(kInstances);
  }

  void play(double seconds) {
    for (uint32_t i = 0; i < kInstances; ++i) {
      const Clip& clip = character_.clips[i % 2];
      playbacks_[i].layers[0] = {i % 2, clip_time(clip, seconds + 0.1 * i, Looping::kLoop), 1};
    }
  }

  ModelInfo info() const {
    ModelInfo info;
    info.character = &character_, info.bounds = &bounds_, info.baked = &baked_;
    info.clips = clips_, info.levels = levels_;
    info.height = 1.8f;
    return info;
  }

  Instances instances() const {
    Instances instances;
    instances.models = characters_;
    instances.world_from_model = world_from_model_;
    instances.playbacks = playbacks_;
    return instances;
  }

  Character character_ = test::rig_with_triangles({.joints = 24, .clips = 2, .duration_seconds = 2, .seed = 5});
  BakedCharacter baked_;
  CharacterBounds bounds_;
  const std::vector<uint32_t> clips_ = {0, 1}, characters_ = std::vector<uint32_t>(kInstances);
  const std::vector<Level> levels_ = {{0, 72, 4096}};
  std::vector<Matrix3x4> world_from_model_;
  std::vector<Playback> playbacks_;
};

TEST_F(RigCrowd, IsPlannedAndEvaluatedWithinTheBakesError) {
  const ModelInfo character = info();
  auto planner = Planner::create({&character, 1}, {.update_rate = false});
  ASSERT_TRUE(planner) << planner.error().message;
  const CrowdEvaluator evaluator(baked_);
  const View view = camera();
  for (const double seconds : {0.0, 0.7, 31.3}) {
    play(seconds);
    const Instances all = instances();
    ASSERT_TRUE(planner->plan(all, {.seconds = seconds, .views = {&view, 1}}));
    const Plan& plan = planner->last();
    EXPECT_GT(plan.posed_meshes.size(), 20u);
    EXPECT_LT(plan.posed_meshes.size(), kInstances) << "some are behind the camera";
    std::set<uint32_t> drawn(plan.instances.begin(), plan.instances.end());
    EXPECT_EQ(drawn.size(), plan.instances.size()) << "each is drawn once";
    test::Palettes palettes(plan.playbacks.size(), character_.skin.palette_size());
    ASSERT_TRUE(evaluator.evaluate(plan.playbacks, palettes.stride(), palettes.all()));
    test::Palettes exact = test::evaluate_exact(character_, plan.playbacks);
    for (size_t i = 0; i < plan.playbacks.size(); ++i) {
      const double error = test::largest_distance(character_, palettes.of(i), exact.of(i), 0.1);
      ASSERT_LE(error, 1.5e-4) << "posed mesh " << i << " at " << seconds << " s";  // the rig is about 1.8 m large
    }
  }
  std::printf("instruction set: %s\n", evaluator.instruction_set());
}

/// Instances whose second clip walks 150 meters away. Wherever the eye is, no level of detail has an error of more than
/// a pixel at the nearest vertex, and a near pose is not shared.
TEST_F(RigCrowd, MeasuresDistancesToWhatAClipReachesFarFromTheFeet) {
  Clip& walk = character_.clips[1];
  walk.tracks[0].translation = {{walk.start_seconds, walk.end_seconds}, {{0, 1, 0}, {0, 1, 150}}};
  SetUp();
  ModelInfo character = info();
  const std::vector<Level> levels = {{0, 72, 4096}, {0.01f, 50, 4096}, {0.05f, 40, 4096}, {0.2f, 20, 4096}};
  character.levels = levels;
  auto planner = Planner::create({&character, 1}, {.cull = false, .unique_poses = 40});
  ASSERT_TRUE(planner);
  View view = camera();
  std::set<uint32_t> used_levels;
  uint32_t shared = 0;
  for (int step = 0; step < 12; ++step) {
    play(step * 0.11);
    const uint32_t subject = 1 + 14 * uint32_t(step);  // the eye is near it, wherever it has walked to
    const Vec3 first = app::exact_positions(character_, playbacks_[subject])[0];
    view.eye = transform_point(world_from_model_[subject], first) + Vec3{3, 0, float(step) * 2};
    ASSERT_TRUE(planner->plan(instances(), {.seconds = step * 0.11, .views = {&view, 1}}));
    const Plan& plan = planner->last();
    for (const PosedBatch& batch : plan.batches) {
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
        for (uint32_t i = 0; i < plan.posed_meshes[m].instance_count; ++i) {
          const uint32_t instance = plan.instances[plan.posed_meshes[m].first_instance + i];
          if (instance % 2 == 0 || instance % 7 > 1) continue;  // plays the first clip, or is not looked at
          float nearest = std::numeric_limits<float>::infinity();
          for (const Vec3 vertex : app::exact_positions(character_, playbacks_[instance])) {
            const Vec3 place = transform_point(world_from_model_[instance], vertex);
            nearest = std::min(nearest, length(place - view.eye));
          }
          const float pixels = view.pixels_per_radian / nearest;
          EXPECT_LE(levels[batch.level].error * pixels, 1.001f) << instance << " at " << nearest;
          EXPECT_TRUE(!plan.posed_meshes[m].shared || info().height * pixels < kNoSharingAbovePixels);
          used_levels.insert(batch.level), shared += plan.posed_meshes[m].shared;
        }
      }
    }
  }
  EXPECT_EQ(used_levels.size(), levels.size());
  EXPECT_GT(shared, 50u);
}

/// At a distance of 1,000 meters a meter is a thousandth of the pixels per radian, and an instance of twice the size
/// moves twice as far.
TEST_F(RigCrowd, MovesByMorePixelsTheLargerItsInstancesAre) {
  const internal::MotionPaths motions(info(), {});
  View view;
  std::fill(std::begin(view.clip_from_world), std::end(view.clip_from_world), 0.0f);
  view.clip_from_world[11] = -1;  // the depth is -z
  view.eye = {}, view.pixels_per_radian = 1000;
  for (const float scale : {1.0f, 2.0f, 0.25f}) {
    const Matrix3x4 world_from_model = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, -1000}}};
    EXPECT_NEAR(motions.max_pixels_per_unit(view, world_from_model), scale, 0.05f * scale);
  }
}

/// What the header says of levels, for random pixels: the error of a level is within the limit, a new instance has the
/// coarsest such level, and a level changes only if it must, or to one with an error clearly within the limit.
TEST(LevelsOfDetail, KeepTheLimitAndChangeOnlyWhereTheyMust) {
  const std::vector<Level> levels = {{0}, {0.01f}, {0.02f, 0, 0, 8}, {0.05f}, {0.1f, 0, 0, 8}};
  std::mt19937 random(3);
  uint32_t kept = 0, finer = 0, coarser = 0;
  for (int walk = 0; walk < 200; ++walk) {
    internal::LevelsOfDetail chosen;
    chosen.set_instance_count(1);
    const float limit = 1 + float(random() % 3);
    float pixels = 10 * std::exp(float(random() % 1000) / 200);
    std::optional<uint32_t> last;
    for (int step = 0; step < 60; ++step) {
      const bool host_posed = random() % 8 == 0;
      pixels *= std::exp((float(random() % 1001) - 500) / 4000);
      const auto fits = [&](uint32_t level, float share) {
        return levels[level].error * pixels <= limit * share && (!host_posed || levels[level].palette_size == 0);
      };
      const auto coarsest = [&](float share) {
        uint32_t level = 4;
        while (level > 0 && !fits(level, share)) --level;
        return level;
      };
      const uint32_t level = chosen.choose(0, levels, pixels, limit, host_posed);
      ASSERT_TRUE(level == 0 || fits(level, 1)) << level;
      if (!last) {
        ASSERT_EQ(level, coarsest(1)) << "a new instance";
      } else if (fits(*last, 1)) {
        ASSERT_EQ(level, std::max(*last, coarsest(kLevelHysteresis)));
      } else {
        ASSERT_GE(level, coarsest(kLevelHysteresis));
      }
      kept += last && level == *last && coarsest(1) > level, finer += last && level < *last;
      coarser += last && level > *last;
      last = level;
    }
  }
  EXPECT_GT(kept, 200u) << "no hysteresis";
  EXPECT_GT(finer, 200u);
  EXPECT_GT(coarser, 200u);
}

}  // namespace
}  // namespace sinew::crowd
