// The scene: positions of the instances, their playbacks, the arm overlay, and the camera.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "instances.h"
#include "scene/camera.h"
#include "scene/crowd_input.h"
#include "scene/fire.h"
#include "scene/scene.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

/// A model without a mesh, with empty clips of the given durations that start at 1 s.
Model make_model(std::vector<float> durations) {
  Model model;
  for (float duration : durations) {
    model.clips.push_back(uint32_t(model.character.clips.size()));
    Clip& clip = model.character.clips.emplace_back();
    clip.start_seconds = 1;
    clip.end_seconds = 1 + duration;
  }
  model.height = 1.75f, model.radius = 0.4f, model.diagonal = 2;
  return model;
}

TEST(Scene, ModelsHaveEqualSharesInBatches) {
  const std::vector<Model> models(3, make_model({1}));
  for (const uint32_t count : {100u, 2u}) {
    const Scene scene = make_scene(models, count, 1);
    ASSERT_EQ(scene.batches.size(), std::min(count, 3u));
    for (const Batch& batch : scene.batches) EXPECT_NEAR(batch.instance_count, std::max(count / 3, 1u), 1);
    EXPECT_NE(scene.batches[0].model, scene.batches[1].model);
  }
}

TEST(Scene, AnInstanceIsTurnedScaledAndMoved) {
  std::vector<Model> models{make_model({1})};
  models[0].world_from_model = {{{0, 0, 0.5f, 0.1f}, {0, 0.5f, 0, -0.2f}, {-0.5f, 0, 0, 0.3f}}};
  Scene scene = make_scene(models, 1, 5);
  scene.positions[0] = {3, 1, -2};
  scene.looks[0].turn = place_instance({}, 0.7f, 1.5f).turn;
  const double s = std::sin(0.7), c = std::cos(0.7);
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 2, 3}, Vec3{-2, 0.5f, 1}}) {
    const Vec3 upright = transform_point(models[0].world_from_model, p);
    const Vec3 world = transform_point(world_from_model(scene, 0), p);
    EXPECT_NEAR(world.x, 3 + 1.5 * (c * upright.x + s * upright.z), 1e-6);
    EXPECT_NEAR(world.y, 1 + 1.5 * upright.y, 1e-6);
    EXPECT_NEAR(world.z, -2 + 1.5 * (c * upright.z - s * upright.x), 1e-6);
  }
}

TEST(Scene, AStretchedInstanceDiffersInHeightAlone) {
  const std::vector<Model> models{make_model({1})};
  Scene plain = make_scene(models, 2, 5), scene;
  for (uint32_t i = 0; i < 2; ++i) {
    CrowdInstance instance = plain.instance(i);
    instance.stretch = i == 1 ? int8_t(-32) : int8_t(0);
    scene.add(instance);
    EXPECT_EQ(scene.instance(i).stretch, instance.stretch);
  }
  scene.models = plain.models, scene.batches = plain.batches;
  const Matrix3x4 now = world_from_model(scene, 1), before = world_from_model(plain, 1);
  for (int row = 0; row < 3; ++row) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(now.m[row][c], before.m[row][c] * (row == 1 ? 1 - 32 / 384.0 : 1), 1e-6);
  }
  EXPECT_TRUE(plain.stretches.empty());
  for (int c = 0; c < 3; ++c) EXPECT_EQ(world_from_model(scene, 0).m[1][c], world_from_model(plain, 0).m[1][c]);
}

TEST(Scene, StaysBehindWhatItsClipMovesItBy) {
  const std::vector<Model> models{make_model({2})};
  Scene scene = make_scene(models, 1, 5);
  scene.looks[0].turn = {0, 2};  // a quarter turn, twice as large
  scene.models[0].walked = &models[0].character.clips[0];
  scene.models[0].in_clip = {0, 0, 3};
  const Clip& clip = *scene.models[0].walked;
  for (const double seconds : {0.0, 0.4, 5.1}) {
    scene.seconds = seconds;
    const float time = clip_time(clip, clip_seconds_at(scene.pace(0), seconds), Looping::kLoop) - clip.start_seconds;
    const Vec3 behind = scene.positions[0] - origin_of(scene, 0, 0);
    EXPECT_NEAR(behind.x, 6 * time / clip.duration_seconds(), 1e-5);
    EXPECT_NEAR(behind.z, 0, 1e-5);
    EXPECT_FLOAT_EQ(world_from_model(scene, 0).m[0][3],
                    origin_of(scene, 0, 0).x + 2 * models[0].world_from_model.m[2][3]);
  }
}

TEST(Scene, KeepsAtMost64BytesOfAnInstance) {
  const Scene scene;
  const auto bytes = [](const auto& list) { return sizeof list[0]; };
  const size_t own = bytes(scene.positions) + bytes(scene.looks) + bytes(scene.randoms) + bytes(scene.speeds) +
                     bytes(scene.phases) + bytes(scene.role_of) + bytes(scene.stretches);
  const std::vector<Model> models{make_model({1})};
  const CrowdInput input(models, scene);
  EXPECT_LE(own + bytes(input.model_of) + bytes(input.spheres), 64u);
}

/// Flames are around the lamps that burn. They and their light change with the time, and with nothing else.
TEST(Fire, FlickersAroundItsLamp) {
  const std::vector<Lamp> lamps{
      {{0, 2, 0}, 20, {40, 18, 6}, 2.75f}, {{9, 3, 1}, 10, {6, 3, 1}, 0.5f}, {{-9, 3, 1}, 10, {6, 3, 1}}};
  const auto burn_at = [&](double seconds) {
    Scene scene;
    scene.lamps = lamps;
    burn(seconds, scene);
    return scene;
  };
  const Scene now = burn_at(1e5), again = burn_at(1e5), later = burn_at(1e5 + 0.1);
  ASSERT_EQ(now.props.size(), later.props.size()) << "a steady frame allocates nothing";
  EXPECT_GT(now.props.size() / 3, 500u);
  EXPECT_LT(now.props.size() / 3, 2000u);
  std::array<uint32_t, 3> around{};
  float moved = 0;
  for (size_t i = 0; i < now.props.size(); ++i) {
    const Vec3 at = now.props[i].position;
    EXPECT_EQ(length(at - again.props[i].position), 0);
    moved = std::max(moved, length(at - later.props[i].position));
    for (size_t l = 0; l < lamps.size(); ++l) around[l] += length(at - lamps[l].position) < 1.2f * lamps[l].flames;
  }
  EXPECT_EQ(around[0] + around[1], now.props.size());
  EXPECT_GT(around[1], 100u);
  EXPECT_EQ(around[2], 0u);
  EXPECT_GT(moved, 0.05f);
  EXPECT_NE(now.lamps[0].strength, later.lamps[0].strength);
  EXPECT_NEAR(now.lamps[0].strength, 1, 0.13f);
  EXPECT_EQ(now.lamps[2].strength, 1);
}

TEST(PlaybackAt, StaysInsideTheClipAndItsWeightsAddToOne) {
  const std::vector<Model> models{make_model({0.5f, 2, 3})};
  std::set<uint32_t> played;
  std::set<float> times;  // at the start
  uint32_t fades = 0;
  for (const CrowdInstance& instance : test::instances_of(make_scene(models, 30, 2))) {
    times.insert(playback_at(models[0], test::pace_of(instance), 0).layers[0].time_seconds);
    for (double seconds = 0; seconds < 20; seconds += 0.1) {
      const Playback playback = playback_at(models[0], test::pace_of(instance), seconds);
      float sum = 0;
      for (const Layer& layer : playback.layers) {
        if (layer.weight == 0) continue;
        const Clip& clip = models[0].character.clips[layer.clip];
        EXPECT_GE(layer.time_seconds, clip.start_seconds);
        EXPECT_LE(layer.time_seconds, clip.end_seconds);
        played.insert(layer.clip);
        sum += layer.weight;
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      fades += playback.layers[1].weight > 0;
    }
  }
  EXPECT_EQ(played.size(), 3u);
  EXPECT_GT(times.size(), 25u);
  EXPECT_GT(fades, 20u);
}

/// A model with two arms and a leg, and with clips that idle, run and wave.
Model make_waving_model() {
  Model model = make_model({2, 1, 1.5f});
  const char* clips[] = {"idle", "run", "wave"};
  for (size_t i = 0; i < 3; ++i) model.character.clips[i].name = clips[i];
  Skeleton& skeleton = model.character.skeleton;
  skeleton.joint_names = {"root", "clavicle_l", "hand_l", "clavicle_r", "hand_r", "thigh_r"};
  skeleton.parents = {kNoJoint, 0, 1, 0, 3, 0};
  model.arm_overlay = find_arm_overlay(model.character);
  return model;
}

TEST(ArmOverlay, MasksTheJointsOfOneArmWhereThereIsAClipThatWaves) {
  Model model = make_waving_model();
  ASSERT_TRUE(model.arm_overlay);
  EXPECT_EQ(model.arm_overlay->clip, 2u);
  EXPECT_EQ(model.arm_overlay->joint_mask, (std::vector<float>{0, 0, 0, 1, 1, 0}));
  EXPECT_EQ(model.arm_overlay->base_clips, (std::vector<uint32_t>{0}));
  model.character.clips[2].name = "dance";
  EXPECT_FALSE(find_arm_overlay(model.character));
  model = make_waving_model();
  model.character.skeleton.joint_names[3] = "wing_r";
  EXPECT_FALSE(find_arm_overlay(model.character));
}

TEST(PlaybackAt, SomeInstancesWaveWhileTheyIdle) {
  const std::vector<Model> models{make_waving_model()};
  std::set<uint64_t> waving;
  uint32_t waves = 0;
  const Scene scene = make_scene(models, 50, 2);
  for (const CrowdInstance& instance : test::instances_of(scene)) {
    float previous = -1;  // weight of the overlay in the previous step; -1: none yet
    for (double seconds = 0; seconds < 20; seconds += 0.02) {
      float sum = 0, masked = 0, idle = 0;
      for (const Layer& layer : playback_at(models[0], test::pace_of(instance), seconds).layers) {
        sum += layer.weight;
        if (layer.mask == kArmMask) masked += layer.weight;
        if (layer.mask == 0 && layer.clip == 0) idle += layer.weight;
        EXPECT_TRUE(layer.mask == 0 || layer.clip == 2u);
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      EXPECT_LT(masked, 0.96f) << "no weight is left for the other joints";
      EXPECT_TRUE(masked == 0 || idle > 0);
      EXPECT_TRUE(previous < 0 || std::abs(masked - previous) < 0.11f) << "the arm jumps";
      previous = masked;
      if (masked > 0) waving.insert(instance.random), ++waves;
    }
  }
  EXPECT_GT(waves, 1000u);
  EXPECT_GT(waving.size(), 10u);
  EXPECT_LT(waving.size(), 35u);
}

TEST(PlaybackAt, WithoutChangesEachInstancePlaysOneClipForEver) {
  std::vector<Model> models{make_waving_model()};
  models[0].changes_clips = false;
  std::set<uint32_t> played;
  for (const CrowdInstance& instance : test::instances_of(make_scene(models, 50, 2))) {
    const uint32_t clip = playback_at(models[0], test::pace_of(instance), 0).layers[0].clip;
    played.insert(clip);
    std::set<float> times;
    for (double seconds = 0; seconds < 60; seconds += 0.1) {
      const Playback playback = playback_at(models[0], test::pace_of(instance), seconds);
      ASSERT_EQ(playback.layers[0].clip, clip);
      ASSERT_EQ(playback.layers[0].weight, 1);
      ASSERT_EQ(playback.layers[0].mask, 0u);
      for (size_t i = 1; i < kMaxLayers; ++i) ASSERT_EQ(playback.layers[i].weight, 0);
      times.insert(playback.layers[0].time_seconds);
    }
    EXPECT_GT(times.size(), 200u) << "the clip stands still";
  }
  EXPECT_EQ(played.size(), 3u);
}

TEST(PlaybackAt, ModelWithoutClipsHasTheRestPose) {
  EXPECT_EQ(playback_at(make_model({}), {}, 5).layers[0].time_seconds, 0);
}

TEST(Orbit, HasTheEyeThatItIsMadeFor) {
  const glm::vec3 target{1, 0.5f, -2};
  for (const glm::vec3 eye : {glm::vec3{4, 3, 9}, glm::vec3{-20, 1, -7}, glm::vec3{1, 0.5f, 30}, glm::vec3{-3, -1, 2}})
    EXPECT_LT(glm::distance(eye_of(orbit_between(eye, target)), eye), 1e-5f * glm::distance(eye, target));
}

TEST(Orbit, NeverGoesUnderTheGround) {
  Orbit orbit;
  orbit.pitch = -3, orbit.distance = 0;
  clamp_orbit(orbit);
  EXPECT_GT(eye_of(orbit).y, 0);
}

}  // namespace
}  // namespace sinew::app
