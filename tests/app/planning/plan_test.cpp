// The plan of a frame: culling, shadow-only instances, shared poses and levels of detail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <glm/geometric.hpp>
#include <set>

#include "asset/larger_error.h"
#include "crowd/visibility.h"
#include "instances.h"
#include "planning/planning.h"
#include "render/shadow_maps.h"
#include "scene/baking.h"
#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

using crowd::internal::Frustum;
using crowd::internal::frustum_of;
using test::Planning;

constexpr const char* kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";

std::vector<Model> built_in_models(size_t count = 1) {
  std::vector<Model> models;
  for (size_t i = 0; i < count; ++i) {
    auto model = load_model(kBuiltIn, {});
    EXPECT_TRUE(model);
    models.push_back(std::move(*model));
  }
  return models;
}

View default_view(const Scene& scene) { return view_of(frame_crowd(scene), 1280, 720); }

constexpr crowd::PlanOptions kAllInstances{.cull = false, .update_rate = false};

/// The batches cover all posed meshes, the posed meshes cover all instances, and no instance occurs twice.
void expect_consistent(const crowd::Plan& plan, std::span<const Model> models, const Scene& scene) {
  uint32_t mesh_count = 0, instance_count = 0;
  for (const crowd::PosedBatch& batch : plan.batches) {
    EXPECT_EQ(batch.first_mesh, mesh_count);
    EXPECT_GT(batch.mesh_count, 0u);
    EXPECT_LT(batch.level, models[batch.model].level_count());
    for (const crowd::PosedMesh& mesh : std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count))
      EXPECT_TRUE(mesh.instance_count > 0 || batch.previous_poses || !plan.groups[batch.group].updated);
    mesh_count += batch.mesh_count;
  }
  ASSERT_EQ(mesh_count, plan.posed_meshes.size());
  ASSERT_EQ(mesh_count, plan.playbacks.size());
  for (const crowd::PosedMesh& mesh : plan.posed_meshes) {
    EXPECT_EQ(mesh.first_instance, instance_count);
    instance_count += mesh.instance_count;
  }
  ASSERT_EQ(instance_count, plan.instances.size());
  std::vector<uint32_t> sorted = plan.instances;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(plan.counters.visible, plan.instances.size());
  EXPECT_EQ(plan.counters.visible + plan.counters.culled, scene.count());
}

TEST(Plan, HasAllInstancesOfTwoModelsInTheirBatches) {
  const std::vector<Model> models = built_in_models(2);
  const Scene scene = make_scene(models, 5001, 1);
  ThreadPool pool(1);
  Planning planner(models, scene, kAllInstances, pool);
  const crowd::Plan& plan = planner.plan(default_view(scene), 20);
  expect_consistent(plan, models, scene);
  ASSERT_EQ(plan.batches.size(), 2u);
  for (const crowd::PosedBatch& batch : plan.batches) {
    for (uint32_t i = batch.first_mesh; i < batch.first_mesh + batch.mesh_count; ++i) {
      const uint32_t instance = plan.posed_meshes[i].instance;
      const Batch& of_scene = scene.batches[batch.model];
      EXPECT_GE(instance, of_scene.first_instance);
      EXPECT_LT(instance, of_scene.first_instance + of_scene.instance_count);
      const Playback expected = playback_at(models[batch.model], scene.pace(instance), 20);
      EXPECT_EQ(std::memcmp(&plan.playbacks[i], &expected, sizeof expected), 0);
    }
  }
}

std::vector<Vec3> world_positions(const Model& model, const Scene& scene, uint32_t instance, const Playback& playback) {
  std::vector<Vec3> positions = exact_positions(model, 0, playback);
  for (Vec3& position : positions) position = transform_point(world_from_model(scene, instance), position);
  return positions;
}

/// The clip planes that have every point on their outer side, more than `margin` meters away, as six bits.
uint32_t planes_behind(const View& view, const std::vector<Vec3>& points, float margin = 0) {
  const glm::mat4 rows = glm::transpose(view.clip_from_world);
  const glm::vec4 planes[] = {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1],
                              rows[3] - rows[1], rows[2],           rows[3] - rows[2]};
  uint32_t behind = 63;
  for (int plane = 0; plane < 6; ++plane) {
    const float unit = glm::length(glm::vec3(planes[plane]));
    const bool all = std::all_of(points.begin(), points.end(), [&](Vec3 p) {
      return glm::dot(planes[plane], glm::vec4(p.x, p.y, p.z, 1)) < -margin * unit;
    });
    if (!all) behind &= ~(1u << plane);
  }
  return behind;
}

std::vector<Orbit> orbits() {
  std::vector<Orbit> orbits;
  for (int i = 0; i < 12; ++i) {
    const float t = float(i);
    orbits.push_back({{t - 6, 0.2f * t, 3 - t}, t * 1.3f, 0.05f + 0.12f * t, 0.8f + t});
  }
  return orbits;
}

TEST(Plan, PosedMeshesOfARangeAreThoseOfItsBatch) {
  crowd::Plan plan;
  plan.groups = {{0, 1}, {1, 2}};
  plan.batches = {
      {.first_mesh = 0, .mesh_count = 2}, {.first_mesh = 2, .mesh_count = 3}, {.first_mesh = 5, .mesh_count = 4}};
  plan.posed_meshes.resize(9);
  for (uint32_t i = 0; i < 9; ++i) plan.posed_meshes[i].instance = i;
  const auto meshes = crowd::posed_meshes_of(plan, 1, 1, 1, 3);
  ASSERT_EQ(meshes.size(), 3u);
  EXPECT_EQ(meshes[0].instance, 6u);
  EXPECT_EQ(crowd::posed_meshes_of(plan, 1, 1, 0, 4).size(), 4u);
  EXPECT_TRUE(crowd::posed_meshes_of(plan, 1, 1, 2, 3).empty());
  EXPECT_TRUE(crowd::posed_meshes_of(plan, 1, 1, UINT32_MAX, 2).empty());
  EXPECT_TRUE(crowd::posed_meshes_of(plan, 0, 1, 0, 1).empty());
  EXPECT_TRUE(crowd::posed_meshes_of(plan, 2, 0, 0, 1).empty());
}

TEST(Plan, CulledInstancesHaveEveryVertexBehindOnePlane) {
  for (const bool exact : {false, true}) {
    std::vector<Model> models = built_in_models();
    if (!exact) {
      ASSERT_TRUE(bake_models(models));
    }
    measure_bounds(models, exact);
    ASSERT_TRUE(models[0].has_bounds);
    const Scene scene = make_scene(models, 150, 4);
    ThreadPool pool(1);
    Planning planner(models, scene, {}, pool);
    uint32_t culled = 0, outside = 0, drawn = 0;  // `outside`: drawn, though every vertex is behind one plane
    double seconds = 3;
    for (const Orbit& orbit : orbits()) {
      const View view = view_of(orbit, 640, 480);
      const crowd::Plan& plan = planner.plan(view, seconds += 1.7);
      expect_consistent(plan, models, scene);
      const std::set<uint32_t> visible(plan.instances.begin(), plan.instances.end());
      for (uint32_t i = 0; i < scene.count(); i += 3) {
        const Playback playback = playback_at(models[0], scene.pace(i), seconds);
        const bool behind = planes_behind(view, world_positions(models[0], scene, i, playback)) != 0;
        EXPECT_TRUE(behind || visible.contains(i)) << "instance " << i << " was culled, but may be visible";
        culled += !visible.contains(i), drawn += visible.contains(i), outside += behind && visible.contains(i);
      }
    }
    EXPECT_GT(culled, 100u);
    EXPECT_GT(drawn, 100u);
    EXPECT_LT(outside, drawn / 2) << "soft shadows and the corners of bounding boxes keep some instances, but fewer";
  }
}

/// The points, and the points where their shadows fall on the ground.
std::vector<Vec3> with_shadows(std::vector<Vec3> points) {
  const Vec3 to_sun = colors_of(Light::kDay).to_sun;
  for (size_t i = 0, count = points.size(); i < count; ++i)
    points.push_back(points[i] - to_sun * (std::max(points[i].y, 0.0f) / to_sun.y));
  return points;
}

/// Counts of a crowd that is drawn with shadows.
struct ShadowCounts {
  uint32_t culled = 0, shadow_only = 0;
  uint32_t outside = 0;        // drawn, though all points and shadows are behind one plane
  uint32_t within_margin = 0;  // drawn only because a shadow may be displaced
};

/// Draws a crowd with shadow maps of `map_size` texels, and checks each instance that is culled: its vertices and their
/// shadows are behind one plane, and further away than the light at a point reaches in the map.
ShadowCounts expect_shadows_drawn(uint32_t map_size) {
  std::vector<Model> models = built_in_models();
  measure_bounds(models, true);
  const Scene scene = make_scene(models, 150, 4);
  ThreadPool pool(1);
  Planning planner(models, scene, {}, pool);
  ShadowCounts counts;
  double seconds = 3;
  for (const Orbit& orbit : orbits()) {
    View view = view_of(orbit, 640, 480);
    const uint32_t visible_without_shadows = planner.plan(view, seconds += 1.7).counters.visible;
    view.shadows = shadow_views(scene, view, 1, map_size);
    const float margin = kShadowTexels * view.shadows[0].texel;
    const crowd::Plan& plan = planner.plan(view, seconds);
    expect_consistent(plan, models, scene);
    counts.shadow_only += plan.counters.shadow_only;
    EXPECT_EQ(plan.counters.visible - plan.counters.shadow_only, visible_without_shadows);
    const std::set<uint32_t> visible(plan.instances.begin(), plan.instances.end());
    for (uint32_t i = 0; i < scene.count(); i += 3) {
      const Playback playback = playback_at(models[0], scene.pace(i), seconds);
      const auto points = with_shadows(world_positions(models[0], scene, i, playback));
      const bool behind = planes_behind(view, points) != 0, beyond = planes_behind(view, points, margin) != 0;
      EXPECT_TRUE(beyond || visible.contains(i)) << "instance " << i << " was culled, but its shadow may be visible";
      counts.culled += !visible.contains(i), counts.outside += behind && visible.contains(i);
      counts.within_margin += behind && !beyond;
    }
  }
  return counts;
}

TEST(Plan, CulledInstancesHaveEveryVertexAndShadowBehindOnePlane) {
  const ShadowCounts counts = expect_shadows_drawn(1024);
  EXPECT_GT(counts.shadow_only, 20u);
  EXPECT_GT(counts.culled, 100u);
  EXPECT_LT(counts.outside, counts.culled / 2);
}

/// A coarse shadow map spreads a shadow: its filter and the offset along the normal are some texels wide.
TEST(Plan, CulledInstancesAreFurtherAwayThanAShadowMapSpreadsTheirShadow) {
  const ShadowCounts counts = expect_shadows_drawn(64);
  EXPECT_GT(counts.within_margin, 50u);
  EXPECT_GT(counts.culled, 50u);
}

TEST(Plan, HasAllInstancesOfAModelWithoutBounds) {
  const std::vector<Model> models = built_in_models();
  const Scene scene = make_scene(models, 100, 4);
  ThreadPool pool(1);
  Planning planner(models, scene, {}, pool);
  EXPECT_EQ(planner.plan(default_view(scene), 1).counters.culled, 0u);
}

TEST(Plan, IsTheSameForAnyNumberOfThreads) {
  std::vector<Model> models = built_in_models();
  ASSERT_TRUE(bake_models(models));
  measure_bounds(models, false);
  const Scene scene = make_scene(models, 9000, 4);
  ThreadPool one(1), many(4);
  Planning with_one(models, scene, {}, one), with_many(models, scene, {}, many);
  const crowd::Plan &a = with_one.plan(default_view(scene), 12), &b = with_many.plan(default_view(scene), 12);
  EXPECT_EQ(a.instances, b.instances);
  ASSERT_EQ(a.playbacks.size(), b.playbacks.size());
  EXPECT_EQ(std::memcmp(a.playbacks.data(), b.playbacks.data(), a.playbacks.size() * sizeof(Playback)), 0);
}

TEST(Plan, SharedPosesAreWithinTheStatedAngle) {
  const std::vector<Model> models = built_in_models();
  const Scene scene = make_scene(models, 3000, 2);
  ThreadPool pool(1);
  for (const uint32_t poses : {50u, 400u}) {
    Planning planner(models, scene, {.cull = false, .unique_poses = poses}, pool);
    const crowd::Plan& plan = planner.plan(default_view(scene), 20);
    expect_consistent(plan, models, scene);
    EXPECT_EQ(plan.counters.shared, plan.instances.size() - plan.posed_meshes.size());
    EXPECT_GT(plan.counters.shared, 1500u);
    double max_angle = 0;
    size_t buckets = 0;
    for (size_t m = 0; m < plan.posed_meshes.size(); ++m) {
      const crowd::PosedMesh& mesh = plan.posed_meshes[m];
      buckets += mesh.shared;
      EXPECT_TRUE(mesh.shared || mesh.instance_count == 1);
      const auto pose = exact_palette(models[0].character, plan.playbacks[m], models[0].masks);
      for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; i += 3) {
        const Playback own = playback_at(models[0], scene.pace(plan.instances[i]), 20);
        EXPECT_EQ(own.layers[0].clip, plan.playbacks[m].layers[0].clip);
        max_angle = sinew::internal::larger_error(
            max_angle, crowd::angle_between(exact_palette(models[0].character, own, models[0].masks), pose));
      }
    }
    EXPECT_LE(buckets, poses + models[0].clips.size());
    EXPECT_LE(max_angle, planner.planner().shared_radians() * 1.02);  // the bound comes from sampled clips
    EXPECT_GT(max_angle, planner.planner().shared_radians() * 0.7) << "the stated angle is too large";
  }
}

TEST(Plan, LargeOrBlendingInstancesKeepTheirOwnPose) {
  const std::vector<Model> models = built_in_models();
  const Scene scene = make_scene(models, 2000, 2);
  ThreadPool pool(1);
  Planning planner(models, scene, {.cull = false, .unique_poses = 100}, pool);
  const View view = default_view(scene);
  const crowd::Plan& plan = planner.plan(view, 20);
  uint32_t large = 0, blending = 0;
  for (const crowd::PosedMesh& mesh : plan.posed_meshes) {
    if (mesh.shared) continue;
    const Playback own = playback_at(models[0], scene.pace(mesh.instance), 20);
    blending += own.layers[1].weight > 0;
    large += own.layers[1].weight <= 0;
  }
  EXPECT_GT(large, 5u);
  EXPECT_GT(blending, 100u);
  for (size_t m = 0; m < plan.posed_meshes.size(); ++m) {
    const crowd::PosedMesh& mesh = plan.posed_meshes[m];
    for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count && mesh.shared; ++i) {
      const CrowdInstance instance = scene.instance(plan.instances[i]);
      const glm::vec3 center(instance.position.x, 0.9f, instance.position.z);
      EXPECT_LT(models[0].height * view.pixels_per_radian / glm::distance(center, view.eye), 121);  // pixels
      EXPECT_FALSE(playback_at(models[0], test::pace_of(instance), 20).layers[1].weight > 0);
    }
  }
}

/// The level of detail of a single character at each of the distances, in this order.
std::vector<uint32_t> levels_along(Planning& planner, const Scene& scene, const std::vector<float>& distances) {
  std::vector<uint32_t> levels;
  for (const float distance : distances) {
    const Vec3 p = scene.positions[0];
    const crowd::Plan& plan = planner.plan(view_of({{p.x, 0.9f, p.z}, 0, 0.1f, distance}, 1280, 720), 1);
    levels.push_back(plan.batches.at(0).level);
    EXPECT_EQ(plan.counters.levels.at(levels.back()), 1u);
  }
  return levels;
}

TEST(Plan, LevelsGetCoarserWithDistanceAndDoNotFlicker) {
  std::vector<Model> models = built_in_models();
  ASSERT_TRUE(add_levels(models[0]));
  ASSERT_GE(models[0].level_count(), 4u);
  const Scene scene = make_scene(models, 1, 1);
  ThreadPool pool(1);
  Planning planner(models, scene, {}, pool);
  std::vector<float> receding, approaching;
  for (float distance = 1; distance < 500; distance *= 1.02f) receding.push_back(distance);
  approaching.assign(receding.rbegin(), receding.rend());
  const auto levels_receding = levels_along(planner, scene, receding);
  auto levels_approaching = levels_along(planner, scene, approaching);
  std::reverse(levels_approaching.begin(), levels_approaching.end());
  EXPECT_EQ(levels_receding.front(), 0u);
  EXPECT_EQ(levels_receding.back(), models[0].levels.size());
  EXPECT_TRUE(std::is_sorted(levels_receding.begin(), levels_receding.end()));
  uint32_t coarser = 0;
  for (size_t i = 0; i < receding.size(); ++i) {
    EXPECT_GE(levels_approaching[i], levels_receding[i]) << receding[i];
    coarser += levels_approaching[i] > levels_receding[i];
    // crowd::QualityLimits allows an error of one pixel.
    const float pixels_per_meter = view_of({{}, 0, 0, receding[i]}, 1280, 720).pixels_per_radian / receding[i];
    const uint32_t level = levels_approaching[i];
    const float meters = level == 0 ? 0 : models[0].levels[level - 1].error * models[0].meters_per_unit();
    EXPECT_LE(meters * pixels_per_meter, 1.05f) << receding[i];
  }
  EXPECT_GT(coarser, 10u) << "no hysteresis";
}

TEST(Frustum, ContainsTheClipVolume) {
  const View view = view_of(orbits()[5], 640, 480);
  const Frustum frustum = frustum_of(to_crowd(view));
  uint32_t inside = 0;
  for (int i = 0; i < 4000; ++i) {
    const int x = i % 20, y = i / 20 % 10, z = i / 200;
    const Vec3 p{float(x) * 2 - 20, float(y) - 3, float(z) * 2 - 20};
    const bool in = planes_behind(view, {p}) == 0;
    EXPECT_TRUE(!in || may_be_visible(frustum, {p, 0}));
    const bool out_by_margin = !may_be_visible(frustum, {p, 0.01f});
    EXPECT_TRUE(!out_by_margin || !in);
    EXPECT_TRUE(in || !may_be_visible(frustum, {p, -0.01f}));
    inside += in;
  }
  EXPECT_GT(inside, 50u);
}

}  // namespace
}  // namespace sinew::app
