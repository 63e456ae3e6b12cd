// The plan of a frame against every vertex of the built-in character: what is culled. Shared poses, and plans as a
// plainer planner makes them, are for tests/crowd.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <set>

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

TEST(Plan, ARangeOfPosedMeshesMayNotOverflow) {
  crowd::Plan plan;
  plan.groups.push_back({0, 1});
  plan.batches.push_back({.first_mesh = 2, .mesh_count = 3});
  plan.posed_meshes.resize(5);
  EXPECT_TRUE(crowd::posed_meshes_of(plan, 0, 0, UINT32_MAX, 2).empty());
}

}  // namespace
}  // namespace sinew::app
