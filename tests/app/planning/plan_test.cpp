// The plan of a frame against every vertex of the built-in character: what is culled, and how far shared poses are off.
// That plans are well-formed, and those of a plainer planner, is for tests/crowd.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <set>

#include "asset/larger_error.h"
#include "built_in.h"
#include "instances.h"
#include "planning/planning.h"
#include "render/shadow_maps.h"
#include "scene/baking.h"
#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

using test::built_in_models;
using test::Planning;

View default_view(const Scene& scene) { return view_of(frame_crowd(scene), 1280, 720); }

std::vector<Vec3> world_positions(const Model& model, const Scene& scene, uint32_t instance, const Playback& playback) {
  std::vector<Vec3> positions = exact_positions(model, 0, playback);
  for (Vec3& position : positions) position = transform_point(world_from_model(scene, instance), position);
  return positions;
}

/// Whether a clip plane has every point on its outer side, more than `margin` meters away.
bool is_behind_a_plane(const View& view, const std::vector<Vec3>& points, float margin) {
  const glm::mat4 rows = glm::transpose(view.clip_from_world);
  const glm::vec4 planes[] = {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1],
                              rows[3] - rows[1], rows[2],           rows[3] - rows[2]};
  return std::ranges::any_of(planes, [&](const glm::vec4& plane) {
    const float least = -margin * glm::length(glm::vec3(plane));
    return std::ranges::all_of(points, [&](Vec3 p) { return glm::dot(plane, glm::vec4(p.x, p.y, p.z, 1)) < least; });
  });
}

/// The points, and the points where their shadows fall on the ground.
std::vector<Vec3> with_shadows(std::vector<Vec3> points) {
  const Vec3 to_sun = colors_of(Light::kDay).to_sun;
  for (size_t i = 0, count = points.size(); i < count; ++i)
    points.push_back(points[i] - to_sun * (std::max(points[i].y, 0.0f) / to_sun.y));
  return points;
}

/// Instances that were looked at.
struct Looked {
  uint32_t culled = 0, drawn = 0, shadow_only = 0;
  uint32_t outside = 0;        // drawn, though all points and shadows are behind one plane
  uint32_t within_margin = 0;  // drawn only because a shadow map may displace a shadow
};

/// Plans a crowd for several cameras, with a shadow map of `map_size` texels, 0 for none. Each instance that is culled
/// has its vertices and their shadows behind one plane, and further away than the light at a point reaches in the map.
Looked expect_seen_drawn(bool exact, uint32_t map_size) {
  std::vector<Model> models = built_in_models();
  EXPECT_TRUE(exact || bake_models(models));
  measure_bounds(models, exact);
  const Scene scene = make_scene(models, 150, 4);
  ThreadPool pool(1);
  Planning planner(models, scene, {}, pool);
  Looked all;
  for (int step = 0; step < 12; ++step) {
    const float t = float(step);
    const double seconds = 3 + 1.7 * (step + 1);
    View view = view_of({{t - 6, 0.2f * t, 3 - t}, t * 1.3f, 0.05f + 0.12f * t, 0.8f + t}, 640, 480);
    const uint32_t without_shadows = planner.plan(view, seconds).counters.visible;
    if (map_size > 0) view.shadows = shadow_views(scene, view, 1, map_size);
    const float margin = map_size > 0 ? kShadowTexels * view.shadows[0].texel : 0;
    const crowd::Plan& plan = planner.plan(view, seconds);
    all.shadow_only += plan.counters.shadow_only;
    EXPECT_EQ(plan.counters.visible - plan.counters.shadow_only, without_shadows);
    const std::set<uint32_t> visible(plan.instances.begin(), plan.instances.end());
    for (uint32_t i = 0; i < scene.count(); i += 3) {
      auto points = world_positions(models[0], scene, i, playback_at(models[0], scene.pace(i), seconds));
      if (map_size > 0) points = with_shadows(std::move(points));
      const bool behind = is_behind_a_plane(view, points, 0), beyond = is_behind_a_plane(view, points, margin);
      EXPECT_TRUE(beyond || visible.contains(i)) << "instance " << i << " was culled, but it or its shadow is visible";
      all.culled += !visible.contains(i), all.drawn += visible.contains(i);
      all.outside += behind && visible.contains(i), all.within_margin += behind && !beyond;
    }
  }
  return all;
}

TEST(Plan, CulledInstancesHaveEveryVertexBehindOnePlane) {
  for (const bool exact : {false, true}) {
    const Looked all = expect_seen_drawn(exact, 0);
    EXPECT_GT(all.culled, 100u);
    EXPECT_GT(all.drawn, 100u);
    EXPECT_LT(all.outside, all.drawn / 2) << "the corners of bounding boxes keep some instances, but fewer";
  }
}

/// A coarse shadow map spreads a shadow: its filter and the offset along the normal are some texels wide.
TEST(Plan, CulledInstancesAreFurtherAwayThanAShadowMapSpreadsTheirShadow) {
  const Looked fine = expect_seen_drawn(true, 1024), coarse = expect_seen_drawn(true, 64);
  EXPECT_GT(fine.shadow_only, 20u);
  EXPECT_GT(fine.culled, 100u);
  EXPECT_LT(fine.outside, fine.culled / 2);
  EXPECT_GT(coarse.within_margin, 50u);
  EXPECT_GT(coarse.culled, 50u);
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
  for (const auto& [group, batch, first, count] :
       std::vector<std::array<uint32_t, 4>>{{1, 1, 2, 3}, {1, 1, UINT32_MAX, 2}, {0, 1, 0, 1}, {2, 0, 0, 1}}) {
    EXPECT_TRUE(crowd::posed_meshes_of(plan, group, batch, first, count).empty()) << group << " " << first;
  }
}

/// Of a crowd whose distant people share poses: only small ones that play one clip do so, and the shared pose is within
/// the stated angle of each one's own.
TEST(Plan, SharedPosesAreOfSmallInstancesAndWithinTheStatedAngle) {
  const std::vector<Model> models = built_in_models();
  const Scene scene = make_scene(models, 3000, 2);
  ThreadPool pool(1);
  for (const uint32_t poses : {50u, 400u}) {
    Planning planner(models, scene, {.cull = false, .unique_poses = poses}, pool);
    const View view = default_view(scene);
    const crowd::Plan& plan = planner.plan(view, 20);
    EXPECT_EQ(plan.counters.shared, plan.instances.size() - plan.posed_meshes.size());
    EXPECT_GT(plan.counters.shared, 1500u);
    double max_angle = 0;
    uint32_t buckets = 0, large = 0, blending = 0;
    for (size_t m = 0; m < plan.posed_meshes.size(); ++m) {
      const crowd::PosedMesh& mesh = plan.posed_meshes[m];
      buckets += mesh.shared;
      const bool blends = playback_at(models[0], scene.pace(mesh.instance), 20).layers[1].weight > 0;
      if (!mesh.shared) large += !blends, blending += blends;
      EXPECT_TRUE(mesh.shared || mesh.instance_count == 1);
      const auto pose =
          exact_palette(models[0].character, models[0].character.skin, plan.playbacks[m], models[0].masks);
      for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count && mesh.shared; i += 3) {
        const Playback own = playback_at(models[0], scene.pace(plan.instances[i]), 20);
        EXPECT_EQ(own.layers[0].clip, plan.playbacks[m].layers[0].clip);
        EXPECT_FALSE(own.layers[1].weight > 0);
        const Vec3 feet = scene.positions[plan.instances[i]];
        const float pixels =
            models[0].height * view.pixels_per_radian / glm::distance({feet.x, 0.9f, feet.z}, view.eye);
        EXPECT_LT(pixels, 121);
        max_angle = sinew::internal::larger_error(
            max_angle, crowd::angle_between(
                           exact_palette(models[0].character, models[0].character.skin, own, models[0].masks), pose));
      }
    }
    EXPECT_GT(large, 5u);
    EXPECT_GT(blending, 100u);
    EXPECT_LE(buckets, poses + models[0].clips.size());
    EXPECT_LE(max_angle, planner.planner().shared_radians() * 1.02);  // the bound comes from sampled clips
    EXPECT_GT(max_angle, planner.planner().shared_radians() * 0.7) << "the stated angle is too large";
  }
}

}  // namespace
}  // namespace sinew::app
