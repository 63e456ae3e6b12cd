// Stages between a reader's scene and the character: FBX pivots and skins, node names, welding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assimp/fbx_pivots.h"
#include "assimp/fbx_skin.h"
#include "conversion.h"
#include "failure.h"
#include "gltf_file.h"
#include "posing.h"
#include "weld.h"

namespace sinew::test {

using namespace internal;

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

Quat rotation_about(Vec3 axis, float angle) {
  const float s = std::sin(angle / 2);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

/// An arm with pivots as Maya exports it, which Assimp splits into helper nodes. Below it is a hand with a triangle.
Scene scene_with_pivots() {
  Scene scene;
  scene.nodes = {node("RootNode", -1, {}),
                 node("Arm_$AssimpFbx$_Translation", 0, {{1, 2, 3}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_RotationPivot", 1, {{0, 0.5f, 0}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_PreRotation", 2, {{}, rotation_about({1, 0, 0}, 0.7f), {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_Rotation", 3, {{}, rotation_about({0, 1, 0}, 0.2f), {1, 1, 1}}),
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
  rotation.rotation = {{0, 0.5f, 1},
                       {rotation_about({0, 1, 0}, 0.2f), rotation_about({0, 1, 0}, 1), rotation_about({0, 0, 1}, 2)}};
  scaling.node = 6;
  scaling.scale = {{0, 1}, {{1, 2, 0.5f}, {2, 2, 2}}};
  scene.clips = {{"bend", {translation, rotation, scaling}, {}, {}}};
  return scene;
}

Character character_of(Scene scene) {
  ImportReport report;
  return convert(std::move(scene), {}, report);
}

TEST(FbxPivotsTest, ChainOfHelpersBecomesOneJointWithTheSameMotion) {
  Scene collapsed = scene_with_pivots();
  collapse_pivots(collapsed, find_fbx_chains(collapsed), {});
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

/// As Assimp imports Mixamo's files: helpers have a pre-rotation, but the node's channel has the whole transform.
TEST(FbxPivotsTest, WholeTransformReplacesTheHelpers) {
  Scene scene = scene_with_pivots();
  SceneTracks whole;
  whole.node = 7;
  whole.translation = {{0, 1}, {{5, 6, 7}, {8, 6, 7}}};
  whole.rotation = {{0, 1}, {rotation_about({1, 0, 0}, 0.1f), rotation_about({1, 0, 0}, 0.5f)}};
  scene.clips[0].tracks = {whole};
  collapse_pivots(scene, find_fbx_chains(scene), {});
  EXPECT_THAT(scene.clips[0].repairs, ElementsAre(HasSubstr("whole transforms of 1 node in place of the pivots")));
  ASSERT_EQ(scene.nodes.size(), 3u);
  const Character character = character_of(std::move(scene));
  const Vec3 corner = pose(character, 0, 1).positions[1];  // vertex (1, 0, 0); the hand is at y = 1, scaled by 2
  EXPECT_NEAR(corner.x, 8 + 1, 1e-5f);
  EXPECT_NEAR(corner.y, 6 + 2 * std::cos(0.5f), 1e-5f);
  EXPECT_NEAR(corner.z, 7 + 2 * std::sin(0.5f), 1e-5f);
}

TEST(FbxPivotsTest, WholeTransformReplacesTheChannelsOfTheHelpers) {
  Scene scene = scene_with_pivots();
  SceneTracks whole;
  whole.node = 7;
  whole.translation = {{0}, {{5, 6, 7}}};
  scene.clips[0].tracks.push_back(whole);
  collapse_pivots(scene, find_fbx_chains(scene), {});
  EXPECT_THAT(scene.clips[0].repairs, ElementsAre(HasSubstr("and of 3 of their channels")));
  ASSERT_EQ(scene.clips[0].tracks.size(), 1u);
  EXPECT_EQ(scene.clips[0].tracks[0].translation.values[0].x, 5);
}

/// Some versions of Assimp have pre * r * post on the channel, where FBX means pre * r * post^-1. The helper has
/// post^-1.
TEST(FbxPivotsTest, PostRotationOnTheChannelIsInvertedWhereTheConventionSaysSo) {
  for (const bool inverts : {false, true}) {
    Scene scene = scene_with_pivots();
    const Quat post = rotation_about({0, 0, 1}, 0.3f), rest = rotation_about({1, 0, 0}, 0.7f);
    scene.nodes[4] = node("Arm_$AssimpFbx$_PostRotation", 3, {{}, {-post.x, -post.y, -post.z, post.w}, {1, 1, 1}});
    SceneTracks whole;
    whole.node = 7;
    whole.rotation = {{0}, {rest * post}};
    scene.clips[0].tracks = {whole};
    collapse_pivots(scene, find_fbx_chains(scene), {FbxConvention::Offset::kMesh, inverts});
    const Quat expected = inverts ? rest * rotation_about({0, 0, 1}, -0.3f) : rest * post;
    EXPECT_NEAR(std::abs(dot(scene.clips[0].tracks[0].rotation.values[0], expected)), 1, 1e-6f) << inverts;
  }
}

/// Assimp adds a placeholder key to the properties that a helper's channel does not animate. Its time has no meaning.
TEST(FbxPivotsTest, PlaceholderKeysAreIgnored) {
  Scene scene = scene_with_pivots();
  scene.clips[0].tracks[1].translation = {{-9}, {{}}};
  scene.clips[0].tracks[1].scale = {{-9}, {{1, 1, 1}}};
  collapse_pivots(scene, find_fbx_chains(scene), {});
  EXPECT_THAT(scene.clips[0].tracks[0].rotation.times_seconds, ElementsAre(0, 0.5f, 1));
}

/// A geometric transform as in 3ds Max: it moves the mesh of its node, but not the nodes below.
Scene scene_with_geometric_transform() {
  Scene scene = scene_with_pivots();
  scene.nodes = {node("RootNode", -1, {}),
                 node("Arm_$AssimpFbx$_Translation", 0, {{1, 2, 3}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_GeometricTranslation", 1, {{0, 0, 9}, {}, {1, 1, 1}}),
                 node("Arm_$AssimpFbx$_GeometricScaling", 2, {{}, {}, {2, 3, 4}}),
                 node("Arm", 3, {}),
                 node("Arm_$AssimpFbx$_GeometricScalingInverse", 4, {{}, {}, {0.5f, 1 / 3.0f, 0.25f}}),
                 node("Arm_$AssimpFbx$_GeometricTranslationInverse", 5, {{0, 0, -9}, {}, {1, 1, 1}}),
                 node("Hand", 6, {{0, 1, 0}, {}, {1, 1, 1}}),
                 node("Finger", 7, {{0, 0.5f, 0}, {}, {1, 1, 1}})};
  scene.uses = {{4, 0, -1}, {7, 0, -1}};
  scene.clips[0].tracks.resize(1);  // keeps the translation
  return scene;
}

TEST(FbxPivotsTest, GeometricTransformMovesOnlyTheMeshOfItsNode) {
  Scene scene = scene_with_geometric_transform();
  collapse_pivots(scene, find_fbx_chains(scene), {});
  const Character character = character_of(std::move(scene));
  EXPECT_THAT(character.skeleton.joint_names, ElementsAre("Arm"));
  const std::vector<Vec3> at = pose(character, 0, 1).positions;  // the arm is at (4, 2, 3)
  EXPECT_NEAR(length(at[1] - Vec3{4 + 2, 2, 3 + 9}), 0, 1e-5f);
  EXPECT_NEAR(length(at[2] - Vec3{4, 2 + 3, 3 + 9 + 4}), 0, 1e-5f);
  EXPECT_NEAR(length(at[3] - Vec3{4, 2 + 1, 3}), 0, 1e-5f) << "on the hand";
}

TEST(FbxPivotsTest, GeometricTransformIsAppliedBeforeSkinning) {
  Scene scene = scene_with_geometric_transform();
  scene.skins.resize(1);
  scene.skins[0] = {{7}, {to_matrix({{-1, -3, -3}, {}, {1, 1, 1}})}};  // the inverse of the hand's rest pose
  scene.uses = {{4, 0, 0}};
  scene.meshes[0].first_influence = {0, 1, 2, 3};
  scene.meshes[0].influences = {{0, 1}, {0, 1}, {0, 1}};
  ImportReport report;
  complete_skins(scene, find_fbx_chains(scene), {}, report);
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("1 skin without its mesh's geometric transform")));
  collapse_pivots(scene, find_fbx_chains(scene), {});
  const Character character = character_of(std::move(scene));
  const std::vector<Vec3> at = pose(character).positions;
  EXPECT_NEAR(length(at[2] - Vec3{0, 3, 9 + 4}), 0, 1e-5f);
}

/// A skin with the offset matrix of one of the conventions. The mesh is at (0, 5, 0) below a node at (1, 2, 3) with a
/// scale of 2. Its joint was at (0, 0, 20) in the bind pose and has moved since.
Scene skin_with_offset(const Matrix3x4d& offset) {
  Scene scene;
  scene.nodes = {node("RootNode", -1, {{}, rotation_about({1, 0, 0}, 1), {100, 100, 100}}),
                 node("Group", 0, {{1, 2, 3}, {}, {2, 2, 2}}), node("Mesh", 1, {{0, 5, 0}, {}, {1, 1, 1}}),
                 node("Joint", 0, {{0, 7, 20}, {}, {1, 1, 1}})};
  scene.skins.resize(1);
  scene.skins[0] = {{3}, {offset}};
  scene.meshes.resize(1);
  scene.uses = {{2, 0, 0}};
  return scene;
}

TEST(FbxSkinTest, BothOffsetConventionsGiveTheSameSkin) {
  const Transform mesh{{1, 12, 3 - 20}, {}, {2, 2, 2}}, parent{{1, 2, 3 - 20}, {}, {2, 2, 2}};
  Scene from_mesh = skin_with_offset(to_matrix(mesh)), from_parent = skin_with_offset(to_matrix(parent));
  ImportReport nothing, report;
  complete_skins(from_mesh, {}, {FbxConvention::Offset::kMesh}, nothing);
  complete_skins(from_parent, {}, {FbxConvention::Offset::kParent}, report);
  EXPECT_THAT(nothing.warnings, ElementsAre());
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("1 skin without its mesh's transform")));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      EXPECT_NEAR(from_parent.skins[0].joint_from_mesh[0].m[row][column], to_matrix(mesh).m[row][column], 1e-6);
    }
  }
}

TEST(FbxSkinTest, SingularParentAndUnknownConventionAreRefused) {
  Scene scene = skin_with_offset({});
  set_rest(scene.nodes[1], Transform{{1, 2, 3}, {}, {0, 2, 2}});
  ImportReport report;
  try {
    complete_skins(scene, {}, {FbxConvention::Offset::kParent}, report);
    FAIL() << "not refused";
  } catch (const ImportFailure& failure) {
    EXPECT_THAT(failure.reason, HasSubstr("'Group'"));
  }
  EXPECT_THROW(complete_skins(scene, {}, {FbxConvention::Offset::kUnknown}, report), ImportFailure);
}

/// Two frames of the same name, the first with a mesh. The clip moves "arm" by 5 along x within 2 s.
constexpr const char* kTwoArms = R"(xof 0303txt 0032
Frame root {
  Frame arm { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }
  Frame arm { Frame blade { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } } }
}
AnimTicksPerSecond { 10; }
AnimationSet swing { Animation { {arm} AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, 20;3;5.0,0.0,0.0;;; } } }
)";

TEST(AssimpTest, OfTwoNodesOfTheSameNameTheOneWithoutAMeshIsTheJoint) {
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

TEST(WeldTest, OnlyVerticesWithEqualAttributesAreWelded) {
  SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {9, 9, 9}};
  mesh.normals = std::vector<Vec3>(7, Vec3{0, 0, 1});
  mesh.uvs = std::vector<Vec2>(7);
  mesh.uvs[4] = {0.5f, 0};  // a seam: vertices 0 and 4 stay separate
  mesh.indices = {0, 1, 2, 3, 4, 5};
  mesh.first_influence = {0, 1, 2, 3, 4, 5, 6, 7};
  mesh.influences = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}};  // vertices 2 and 5 stay separate
  weld(mesh);
  EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 1, 3, 4));
  EXPECT_EQ(mesh.positions.size(), 5u);
  EXPECT_EQ(mesh.uvs[3].x, 0.5f);
  EXPECT_THAT(mesh.first_influence, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(mesh.influences[4].joint, 1u);
}

TEST(WeldTest, VerticesWithDifferentTangentsStaySeparate) {
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
