// How far nodes reach: what an error of their transforms costs in distance.
#include "scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::test {
namespace {

using internal::measure_reach;
using internal::Reach;
using internal::Scene;
using internal::SceneNode;

void add_node(Scene& scene, int32_t parent, const Transform& rest) {
  SceneNode& node = scene.nodes.emplace_back();
  node.parent = parent;
  internal::set_rest(node, rest);
}

/// A root, an arm at (0, 2, 0) that is twice as large, and a hand 3 of its units above: at (0, 8, 0).
Scene arm_scene() {
  Scene scene;
  add_node(scene, -1, {});
  add_node(scene, 0, {{0, 2, 0}, {}, {2, 2, 2}});
  add_node(scene, 1, {{0, 3, 0}, {}, {1, 1, 1}});
  return scene;
}

TEST(ReachTest, NodesReachAsFarAsWhatTheyMove) {
  Scene scene = arm_scene();
  scene.meshes.resize(1);
  scene.meshes[0].positions = {{0, 0, 0}, {1, 0, 0}};
  scene.uses = {{2, 0, -1}};
  const Reach reach = measure_reach(scene);
  EXPECT_NEAR(reach.of_node[2], 2, 1e-6);
  EXPECT_NEAR(reach.of_node[1], std::hypot(6, 2), 1e-6);
  EXPECT_NEAR(reach.of_node[0], std::hypot(8, 2), 1e-6);
  EXPECT_NEAR(reach.diagonal, 2, 1e-6);
}

TEST(ReachTest, UnitsOfParentsAreMeasuredInTheModel) {
  const Reach reach = measure_reach(arm_scene());
  EXPECT_NEAR(reach.stretch[0], 1, 1e-6);
  EXPECT_NEAR(reach.stretch[1], 1, 1e-6);
  EXPECT_NEAR(reach.stretch[2], 2, 1e-6);
}

TEST(ReachTest, SkinnedVerticesReachFromTheirJoints) {
  Scene scene = arm_scene();
  scene.meshes.resize(1);
  scene.meshes[0].positions = {{0, 0, 5}};
  scene.meshes[0].first_influence = {0, 2};
  scene.meshes[0].influences = {{0, 0.5f}, {1, 0}};  // a joint without weight moves nothing
  scene.skins.resize(1);
  scene.skins[0] = {{2, 1}, {Matrix3x4d{}, Matrix3x4d{}}};
  scene.uses = {{0, 0, 0}};
  const Reach reach = measure_reach(scene);
  EXPECT_NEAR(reach.of_node[2], 10, 1e-6) << "5 of its own units";
  EXPECT_GT(reach.attached[1].low.x, reach.attached[1].high.x) << "nothing";
}

TEST(ReachTest, SceneWithoutMeshesIsAsLargeAsItsNodes) { EXPECT_NEAR(measure_reach(arm_scene()).diagonal, 8, 1e-6); }

TEST(ReachTest, PointsFarOutsideDoNotCount) {
  Scene scene = arm_scene();
  scene.meshes.resize(1);
  scene.meshes[0].positions = {{0, 0, 0}, {1, 0, 0}, {1e30f, NAN, 0}};
  scene.uses = {{2, 0, -1}};
  EXPECT_NEAR(measure_reach(scene).diagonal, 2, 1e-6);
}

}  // namespace
}  // namespace sinew::test
