// Who is in a frame's cast.
#include "crowd/cast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <glm/geometric.hpp>
#include <set>

#include "render/shadow_views.h"
#include "scene/baking.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::app {
namespace {

constexpr const char* kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";

std::vector<Model> built_in(size_t count = 1) {
  std::vector<Model> models;
  for (size_t i = 0; i < count; ++i) {
    auto model = load_model(kBuiltIn, {});
    EXPECT_TRUE(model);
    models.push_back(std::move(*model));
  }
  return models;
}

View default_view(const Scene& scene) { return view_of(frame_crowd(scene), 1280, 720); }

constexpr CastOptions kEverybody{.cull = false, .update_rate = false};

/// Batches cover the copies, copies the sharers, and nobody is in it twice.
void expect_sound(const Cast& cast, std::span<const Model> models, const Scene& scene) {
  uint32_t copy = 0, sharer = 0;
  for (const CastBatch& batch : cast.batches) {
    EXPECT_EQ(batch.first_copy, copy);
    EXPECT_GT(batch.copy_count, 0u);
    EXPECT_LT(batch.level, models[batch.model].levels.size());
    for (const Copy& one : std::span(cast.copies).subspan(batch.first_copy, batch.copy_count))
      EXPECT_TRUE(one.sharer_count > 0 || !cast.groups[batch.group].updated);
    copy += batch.copy_count;
  }
  ASSERT_EQ(copy, cast.copies.size());
  ASSERT_EQ(copy, cast.playbacks.size());
  for (const Copy& one : cast.copies) {
    EXPECT_EQ(one.first_sharer, sharer);
    sharer += one.sharer_count;
  }
  ASSERT_EQ(sharer, cast.sharers.size());
  std::vector<uint32_t> sorted = cast.sharers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(cast.counters.visible, cast.sharers.size());
  EXPECT_EQ(cast.counters.visible + cast.counters.culled, scene.instances.size());
}

TEST(Cast, OfTwoModelsHasEverybodyInTheirBatches) {
  const std::vector<Model> models = built_in(2);
  const Scene scene = make_scene(models, 5001, 1);
  ThreadPool pool(1);
  Casting casting(models, scene, kEverybody, pool);
  const Cast& cast = casting.cast(default_view(scene), 20);
  expect_sound(cast, models, scene);
  ASSERT_EQ(cast.batches.size(), 2u);
  for (const CastBatch& batch : cast.batches) {
    for (uint32_t i = batch.first_copy; i < batch.first_copy + batch.copy_count; ++i) {
      const uint32_t instance = cast.copies[i].instance;
      const Batch& of_scene = scene.batches[batch.model];
      EXPECT_GE(instance, of_scene.first_instance);
      EXPECT_LT(instance, of_scene.first_instance + of_scene.instance_count);
      const Playback expected = playback_at(models[batch.model], scene.instances[instance], 20);
      EXPECT_EQ(std::memcmp(&cast.playbacks[i], &expected, sizeof expected), 0);
    }
  }
}

std::vector<Matrix3x4> exact_palette(const Model& model, const Playback& playback) {
  std::vector<Matrix3x4> palette(model.character.skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(
      evaluate_crowd(model.character, {&playback, 1}, uint32_t(palette.size()), palette, scratch, model.masks()));
  return palette;
}

std::vector<Vec3> world_positions(const Model& model, const CrowdInstance& instance, const Playback& playback) {
  const Mesh& mesh = model.character.mesh;
  std::vector<Vec3> positions(mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(mesh, exact_palette(model, playback), positions, normals);
  for (Vec3& position : positions) position = transform_point(instance.world_from_model, position);
  return positions;
}

/// On which sides of the six planes every one of the points is outside, as bits.
uint32_t planes_behind(const View& view, const std::vector<Vec3>& points) {
  uint32_t behind = 63;
  for (Vec3 p : points) {
    const glm::vec4 c = view.clip_from_world * glm::vec4(p.x, p.y, p.z, 1);
    const float distances[] = {c.w + c.x, c.w - c.x, c.w + c.y, c.w - c.y, c.z, c.w - c.z};
    for (int plane = 0; plane < 6; ++plane) behind &= distances[plane] < 0 ? 63u : 63u & ~(1u << plane);
  }
  return behind;
}

std::vector<Orbit> orbits() {
  std::vector<Orbit> orbits;
  for (int i = 0; i < 12; ++i) {
    const float turn = float(i);
    orbits.push_back({{turn - 6, 0.2f * turn, 3 - turn}, turn * 1.3f, 0.05f + 0.12f * turn, 0.8f + turn});
  }
  return orbits;
}

TEST(Cast, WhoIsCulledIsBehindOnePlaneWithEveryVertex) {
  for (const bool exact : {false, true}) {
    std::vector<Model> models = built_in();
    if (!exact) {
      ASSERT_TRUE(bake_models(models));
    }
    measure_bounds(models);
    ASSERT_TRUE(models[0].bounds);
    const Scene scene = make_scene(models, 150, 4);
    ThreadPool pool(1);
    Casting casting(models, scene, {}, pool);
    uint32_t culled = 0, needless = 0, seen = 0;
    double seconds = 3;
    for (const Orbit& orbit : orbits()) {
      const View view = view_of(orbit, 640, 480);
      const Cast& cast = casting.cast(view, seconds += 1.7);
      expect_sound(cast, models, scene);
      const std::set<uint32_t> visible(cast.sharers.begin(), cast.sharers.end());
      for (uint32_t i = 0; i < scene.instances.size(); i += 3) {
        const Playback playback = playback_at(models[0], scene.instances[i], seconds);
        const bool behind = planes_behind(view, world_positions(models[0], scene.instances[i], playback)) != 0;
        EXPECT_TRUE(behind || visible.contains(i)) << "instance " << i << " was culled in sight";
        culled += !visible.contains(i), seen += visible.contains(i), needless += behind && visible.contains(i);
      }
    }
    EXPECT_GT(culled, 100u);
    EXPECT_GT(seen, 100u);
    EXPECT_LT(needless, seen / 2) << "some are kept for their shadows and the boxes' corners, not that many";
  }
}

/// The points, and where their shadows fall on the ground.
std::vector<Vec3> with_shadows(std::vector<Vec3> points) {
  for (size_t i = 0, count = points.size(); i < count; ++i)
    points.push_back(points[i] - kSun * (std::max(points[i].y, 0.0f) / kSun.y));
  return points;
}

TEST(Cast, WhoIsCulledIsBehindOnePlaneWithEveryShadow) {
  std::vector<Model> models = built_in();
  measure_bounds(models);
  const Scene scene = make_scene(models, 150, 4);
  ThreadPool pool(1);
  Casting casting(models, scene, {}, pool);
  uint32_t culled = 0, casters = 0, needless = 0;
  double seconds = 3;
  for (const Orbit& orbit : orbits()) {
    View view = view_of(orbit, 640, 480);
    const uint32_t seen = casting.cast(view, seconds += 1.7).counters.visible;
    view.shadows = shadow_views(scene, view, 1, 1024);
    const Cast& cast = casting.cast(view, seconds);
    expect_sound(cast, models, scene);
    casters += cast.counters.casters;
    EXPECT_EQ(cast.counters.visible - cast.counters.casters, seen);
    const std::set<uint32_t> visible(cast.sharers.begin(), cast.sharers.end());
    for (uint32_t i = 0; i < scene.instances.size(); i += 3) {
      const Playback playback = playback_at(models[0], scene.instances[i], seconds);
      const auto points = with_shadows(world_positions(models[0], scene.instances[i], playback));
      const bool behind = planes_behind(view, points) != 0;
      EXPECT_TRUE(behind || visible.contains(i)) << "instance " << i << " was culled with its shadow in sight";
      culled += !visible.contains(i), needless += behind && visible.contains(i);
    }
  }
  EXPECT_GT(casters, 20u);
  EXPECT_GT(culled, 100u);
  EXPECT_LT(needless, culled / 2);
}

TEST(Cast, OfAModelWithoutBoundsHasEverybody) {
  const std::vector<Model> models = built_in();
  const Scene scene = make_scene(models, 100, 4);
  ThreadPool pool(1);
  Casting casting(models, scene, {}, pool);
  EXPECT_EQ(casting.cast(default_view(scene), 1).counters.culled, 0u);
}

TEST(Cast, IsTheSameForAnyNumberOfThreads) {
  std::vector<Model> models = built_in();
  ASSERT_TRUE(bake_models(models));
  measure_bounds(models);
  const Scene scene = make_scene(models, 9000, 4);
  ThreadPool one(1), many(4);
  Casting alone(models, scene, {}, one), together(models, scene, {}, many);
  const Cast &a = alone.cast(default_view(scene), 12), &b = together.cast(default_view(scene), 12);
  EXPECT_EQ(a.sharers, b.sharers);
  ASSERT_EQ(a.playbacks.size(), b.playbacks.size());
  EXPECT_EQ(std::memcmp(a.playbacks.data(), b.playbacks.data(), a.playbacks.size() * sizeof(Playback)), 0);
}

TEST(Cast, SharedPosesAreWithinTheStatedAngle) {
  const std::vector<Model> models = built_in();
  const Scene scene = make_scene(models, 3000, 2);
  ThreadPool pool(1);
  for (const uint32_t poses : {50u, 400u}) {
    Casting casting(models, scene, {.cull = false, .unique_poses = poses}, pool);
    const Cast& cast = casting.cast(default_view(scene), 20);
    expect_sound(cast, models, scene);
    EXPECT_EQ(cast.counters.shared, cast.sharers.size() - cast.copies.size());
    EXPECT_GT(cast.counters.shared, 1500u);
    double widest = 0;
    size_t buckets = 0;
    for (size_t c = 0; c < cast.copies.size(); ++c) {
      const Copy& copy = cast.copies[c];
      buckets += copy.has_bucket;
      EXPECT_TRUE(copy.has_bucket || copy.sharer_count == 1);
      const auto pose = exact_palette(models[0], cast.playbacks[c]);
      for (uint32_t s = copy.first_sharer; s < copy.first_sharer + copy.sharer_count; s += 3) {
        const Playback own = playback_at(models[0], scene.instances[cast.sharers[s]], 20);
        EXPECT_EQ(own.layers[0].clip, cast.playbacks[c].layers[0].clip);
        widest = std::max(widest, angle_between(exact_palette(models[0], own), pose));
      }
    }
    EXPECT_LE(buckets, poses + models[0].clips.size());
    EXPECT_LE(widest, casting.shared_radians() * 1.02);  // the clips are sampled to tell
    EXPECT_GT(widest, casting.shared_radians() * 0.7) << "finer than it says";
  }
}

TEST(Cast, HeroesAndWhoBlendsKeepTheirPoses) {
  const std::vector<Model> models = built_in();
  const Scene scene = make_scene(models, 2000, 2);
  ThreadPool pool(1);
  Casting casting(models, scene, {.cull = false, .unique_poses = 100}, pool);
  const View view = default_view(scene);
  const Cast& cast = casting.cast(view, 20);
  uint32_t near = 0, blending = 0;
  for (const Copy& copy : cast.copies) {
    if (copy.has_bucket) continue;
    const Playback own = playback_at(models[0], scene.instances[copy.instance], 20);
    blending += own.layers[1].weight > 0;
    near += own.layers[1].weight <= 0;
  }
  EXPECT_GT(near, 5u);
  EXPECT_GT(blending, 100u);
  for (size_t c = 0; c < cast.copies.size(); ++c) {
    const Copy& copy = cast.copies[c];
    for (uint32_t s = copy.first_sharer; s < copy.first_sharer + copy.sharer_count && copy.has_bucket; ++s) {
      const CrowdInstance& instance = scene.instances[cast.sharers[s]];
      const glm::vec3 place(instance.position.x, 0.9f, instance.position.z);
      EXPECT_LT(models[0].height * view.pixels_per_radian / glm::distance(place, view.eye), 121);
      EXPECT_FALSE(playback_at(models[0], instance, 20).layers[1].weight > 0);
    }
  }
}

/// A lone character, seen from further and further away and back again: its level at each distance.
std::vector<uint32_t> levels_along(Casting& casting, const Scene& scene, const std::vector<float>& distances) {
  std::vector<uint32_t> levels;
  for (const float distance : distances) {
    const Vec3 p = scene.instances[0].position;
    const Cast& cast = casting.cast(view_of({{p.x, 0.9f, p.z}, 0, 0.1f, distance}, 1280, 720), 1);
    levels.push_back(cast.batches.at(0).level);
    EXPECT_EQ(cast.counters.levels.at(levels.back()), 1u);
  }
  return levels;
}

TEST(Cast, LevelsGetCoarserWithDistanceAndDoNotFlicker) {
  std::vector<Model> models = built_in();
  ASSERT_TRUE(add_levels(models[0]));
  ASSERT_GE(models[0].levels.size(), 4u);
  const Scene scene = make_scene(models, 1, 1);
  ThreadPool pool(1);
  Casting casting(models, scene, {}, pool);
  std::vector<float> away, back;
  for (float distance = 1; distance < 500; distance *= 1.02f) away.push_back(distance);
  back.assign(away.rbegin(), away.rend());
  const auto going = levels_along(casting, scene, away);
  auto coming = levels_along(casting, scene, back);
  std::reverse(coming.begin(), coming.end());
  EXPECT_EQ(going.front(), 0u);
  EXPECT_EQ(going.back(), models[0].levels.size() - 1);
  EXPECT_TRUE(std::is_sorted(going.begin(), going.end()));
  uint32_t late = 0;
  for (size_t i = 0; i < away.size(); ++i) {
    EXPECT_GE(coming[i], going[i]) << away[i];
    late += coming[i] > going[i];
    // A person of 1.8 m is so many pixels large; nobody sees an error of a pixel.
    const float pixels_per_metre = view_of({{}, 0, 0, away[i]}, 1280, 720).pixels_per_radian / away[i];
    EXPECT_LE(models[0].levels[coming[i]].error * pixels_per_metre, 1.05f) << away[i];
  }
  EXPECT_GT(late, 10u) << "no hysteresis";
}

TEST(Frustum, HoldsWhatTheClipVolumeDoes) {
  const View view = view_of(orbits()[5], 640, 480);
  const Frustum frustum = frustum_of(view.clip_from_world);
  uint32_t inside = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 p{float(i % 20) * 2 - 20, float(i / 20 % 10) - 3, float(i / 200) * 2 - 20};
    const bool in = planes_behind(view, {p}) == 0;
    EXPECT_TRUE(!in || may_see(frustum, {p, 0}));
    const bool far_out = !may_see(frustum, {p, 0.01f});
    EXPECT_TRUE(!far_out || !in);
    EXPECT_TRUE(in || !may_see(frustum, {p, -0.01f}));
    inside += in;
  }
  EXPECT_GT(inside, 50u);
}

}  // namespace
}  // namespace sinew::app
