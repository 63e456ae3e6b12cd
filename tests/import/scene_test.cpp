// Steps between a reader's scene and the character: names, pivots and welding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "fbx_pivots.h"
#include "gltf_file.h"
#include "posing.h"
#include "weld.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SceneNode node(const char* name, int parent, const Transform& rest) {
  SceneNode result;
  result.name = name;
  result.parent = parent;
  set_rest(result, rest);
  return result;
}

Quat turn(Vec3 axis, float angle) {
  const float s = std::sin(angle / 2);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

/// An arm as Maya exports it, spread over Assimp's helpers, with a hand below and a triangle on the hand.
Scene scene_with_pivots() {
  Scene scene;
  scene.nodes = {node("RootNode", -1, {}),
                 node("Arm_$AssimpFbx$_Translation", 0, {{1, 2, 3}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_RotationPivot", 1, {{0, 0.5f, 0}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_PreRotation", 2, {{}, turn({1, 0, 0}, 0.7f), {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_Rotation", 3, {{}, turn({0, 1, 0}, 0.2f), {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_RotationPivotInverse", 4, {{0, -0.5f, 0}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_Scaling", 5, {{}, {}, {1, 2, 0.5f}}),
                 node("Arm", 6, {}),
                 node("Hand", 7, {{0, 1, 0}, {}, {1, 1, 1}})};
  SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}};
  mesh.indices = {0, 1, 2};
  scene.meshes = {mesh};
  scene.uses = {{8, 0, -1}};

  SceneTracks translation, rotation, scaling;
  translation.node = 1;
  translation.translation = {{0, 1}, {{1, 2, 3}, {4, 2, 3}}};
  rotation.node = 4;
  rotation.rotation = {{0, 0.5f, 1}, {turn({0, 1, 0}, 0.2f), turn({0, 1, 0}, 1), turn({0, 0, 1}, 2)}};
  scaling.node = 6;
  scaling.scale = {{0, 1}, {{1, 2, 0.5f}, {2, 2, 2}}};
  scene.clips = {{"bend", {translation, rotation, scaling}}};
  return scene;
}

Character character_of(Scene scene) {
  ImportReport report;
  return convert(std::move(scene), {}, report);
}

TEST(FbxPivotsTest, AChainBecomesOneJointThatMovesAlike) {
  Scene collapsed = scene_with_pivots();
  collapse_pivots(collapsed);
  const Character expected = character_of(scene_with_pivots()), actual = character_of(std::move(collapsed));
  EXPECT_EQ(expected.skeleton.joint_count(), 6u);
  EXPECT_THAT(actual.skeleton.joint_names, ElementsAre("Arm"));
  for (const float time : {0.0f, 0.5f, 1.0f}) {
    const Posed a = pose(expected, 0, time), b = pose(actual, 0, time);
    for (size_t v = 0; v < 3; ++v) EXPECT_LT(length(a.positions[v] - b.positions[v]), 2e-6f) << time;
  }
  const Posed a = pose(expected), b = pose(actual);
  for (size_t v = 0; v < 3; ++v) EXPECT_LT(length(a.positions[v] - b.positions[v]), 2e-6f) << "at rest";
}

TEST(FbxPivotsTest, AChainThatMayShearStaysAsItIs) {
  Scene scene = scene_with_pivots();
  scene.nodes[3].name = "Arm_$AssimpFbx$_GeometricRotation";
  collapse_pivots(scene);
  EXPECT_EQ(scene.nodes.size(), 9u);
}

/// Two frames of one name, the first with a mesh; the clip moves "arm" by 5 along x within 2 s.
constexpr const char* kTwoArms = R"(xof 0303txt 0032
Frame root {
  Frame arm { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }
  Frame arm { Frame blade { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } } }
}
AnimTicksPerSecond { 10; }
AnimationSet swing { Animation { {arm} AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, 20;3;5.0,0.0,0.0;;; } } }
)";

TEST(AssimpTest, OfTwoNodesOfOneNameTheOneWithoutAMeshIsTheJoint) {
  const TemporaryFolder folder;
  ImportReport report;
  const Result<Character> character = load_character(folder.write("arms.x", kTwoArms), {}, &report);
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_EQ(character->clips.size(), 1u);
  EXPECT_EQ(character->clips[0].name, "swing");
  EXPECT_EQ(character->clips[0].end_seconds, 2);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("named 'arm'")));
  ASSERT_EQ(character->mesh.parts.size(), 2u);
  EXPECT_EQ(character->mesh.parts[0].kind, PartKind::kStatic);
  EXPECT_EQ(character->mesh.parts[1].kind, PartKind::kRigid);
  const Posed posed = pose(*character, 0, 1);
  EXPECT_EQ(posed.positions[1].x, 1);
  EXPECT_EQ(posed.positions[3 + 1].x, 3.5f);
}

TEST(WeldTest, OnlyVerticesThatAreTheSameInEverythingBecomeOne) {
  SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {9, 9, 9}};
  mesh.normals = std::vector<Vec3>(7, Vec3{0, 0, 1});
  mesh.uvs = std::vector<Vec2>(7);
  mesh.uvs[4] = {0.5f, 0};  // a seam: the first and the fifth stay apart
  mesh.indices = {0, 1, 2, 3, 4, 5};
  mesh.first_influence = {0, 1, 2, 3, 4, 5, 6, 7};
  mesh.influences = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}};  // the third and the sixth likewise
  weld(mesh);
  EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 1, 3, 4));
  EXPECT_EQ(mesh.positions.size(), 5u);
  EXPECT_EQ(mesh.uvs[3].x, 0.5f);
  EXPECT_THAT(mesh.first_influence, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(mesh.influences[4].joint, 1u);
}

TEST(WeldTest, TangentsKeepVerticesApartAndGoAlong) {
  SceneMesh mesh;
  mesh.positions = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  mesh.tangents = {{0, 0, 1, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, -1}, {0, 1, 0, 1}};
  mesh.indices = {1, 2, 3, 4, 5, 6};
  weld(mesh);
  EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 1, 3, 4));
  ASSERT_EQ(mesh.tangents.size(), 5u);
  EXPECT_EQ(mesh.tangents[3].w, -1);
  EXPECT_EQ(mesh.tangents[4].y, 1);
}

}  // namespace
}  // namespace sinew::test
