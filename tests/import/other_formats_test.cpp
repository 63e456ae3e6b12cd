// Formats whose animation Assimp reads in part or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "truth.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OtherFormats, ClipFileWithoutAnimationIsNotToldToHaveNoClip) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  const std::string other = SINEW_SOURCE_DIR "/tests/import/lost/assimp/animation.x3d";
  ImportReport report;
  ASSERT_TRUE(load_character(file.write(folder), {{other}}, &report));
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("animation.x3d': 1 format '.x3d': its animation is not read")));
}

TEST(OgreTest, SkeletonMovesItsMesh) {
  const std::string folder = std::string(SINEW_SHARED_DIR) + "/cases", name = "o01_ogre_skeleton.mesh.xml.0.json";
  if (!std::filesystem::exists(folder + "/truth/" + name)) GTEST_SKIP() << "NO REFERENCE POSITIONS under " << folder;
  const Truth truth = read_truth(folder, name);
  const Character character = must(load_character(truth.model));
  EXPECT_EQ(character.mesh.vertex_count(), 3u);
  EXPECT_EQ(character.skeleton.joint_count(), 1u);
  for (const TruthFrame& frame : truth.frames) {
    const Posed posed = pose(character, int(truth.clip), float(frame.time_seconds));
    EXPECT_LE(distance_to(frame, posed.positions).points, 1e-5) << "at " << frame.time_seconds << " s";
  }
}

}  // namespace
}  // namespace sinew::test
