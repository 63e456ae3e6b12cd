// The import report lists what import drops or repairs in files of Assimp's formats. For glTF see gltf_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A triangle with weights of two joints, `arm` and `HAND`, of which the file has only `arm`. The clip moves `arm`, and
/// `lamp`, which has no mesh.
constexpr const char* kArm = R"(xof 0303txt 0032
Frame root {
  Frame arm { }
  Frame lamp { }
  Mesh { 3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;0.0;; 1; 3;0,1,2;;
    SkinWeights { "arm"; 3; 0,1,2; 0.5,0.5,0.5; 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }
    SkinWeights { "HAND"; 2; 1,2; 0.5,0.25; 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }
  }
}
AnimationSet swing {
  Animation { {arm} AnimationKey { 2; 1; 0;3;0.0,0.0,0.0;;; } }
  Animation { {lamp} AnimationKey { 2; 1; 0;3;0.0,0.0,0.0;;; } }
}
)";

class ReportTest : public ::testing::Test {
 protected:
  Result<Character> load(std::string text, const ImportOptions& options = {}) {
    return load_character(folder_.write("arm.x", text), options, &report_);
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(ReportTest, MissingJointIsNamedAndTheOtherWeightsAreNormalized) {
  const Result<Character> character = load(kArm);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("no node for joint 'HAND'")));
  EXPECT_EQ(report_.normalized_vertices, 3u);
  EXPECT_EQ(report_.max_influences, 1u);
}

TEST_F(ReportTest, ChannelsWithoutAMeshToMoveAreCounted) {
  ASSERT_TRUE(load(kArm));
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("clip 'swing': 1 channel without a mesh to move")));
}

TEST_F(ReportTest, ChannelsOfMissingNodesAreNamed) {
  ASSERT_TRUE(load(with(kArm, "{lamp}", "{tail}")));
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("no node 'tail'")));
}

TEST_F(ReportTest, LostWeightIsAShareOfAllWeightsOfTheVertex) {
  ASSERT_TRUE(load(with(kArm, "Frame lamp", "Frame HAND"), {{}, 1}));
  EXPECT_EQ(report_.limited_vertices, 2u);
  EXPECT_DOUBLE_EQ(report_.largest_lost_weight, 0.5);
}

TEST_F(ReportTest, FileWithoutFaultsHasNoWarnings) {
  std::string text = with(kArm, "Frame lamp", "Frame HAND");
  text = with(text, "{lamp}", "{HAND}");
  text = with(text, "0.5,0.5,0.5;", "1.0,0.5,0.75;");
  ASSERT_TRUE(load(text));
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(report_.normalized_vertices, 0u);
  EXPECT_EQ(report_.computed_inverse_binds, 0u);
}

}  // namespace
}  // namespace sinew::test
