// Stages between a reader's scene and the character: node names, welding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::test {

using namespace internal;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
