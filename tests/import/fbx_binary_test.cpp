// FBX text and binary files with the same records become the same character.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fbx_binary.h"
#include "fbx_builder.h"
#include "fbx_file.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

constexpr int kRows = 12;  // of the ribbon: enough for long arrays
/// A ribbon along y. The joint `Arm` moves its upper half, and a morph target its last row.
FbxFile ribbon() {
  FbxFile file;
  file.models = {{"Ribbon", -1, {}},
                 {"Root", -1, {{"Lcl Translation", {0, 0.25f, 0}}}},
                 {"Arm", 1, {{"Lcl Translation", {0, 1, 0}}, {"PreRotation", {10, 20, 30}}}}};
  file.mesh_model = 0;
  FbxCluster root{1, {}, {}, kIdentity, kIdentity}, arm{2, {}, {}, kIdentity, kIdentity};
  for (int i = 0; i < kRows * 2; ++i) {
    file.positions.push_back({float(i % 2), float(i / 2) * 0.125f, 0});
    FbxCluster& cluster = i < kRows ? root : arm;
    cluster.vertices.push_back(i), cluster.weights.push_back(1);
    if (i >= 2 && i % 2 == 0) {
      for (const int corner : {i - 2, i - 1, i + 1, i - 2, i + 1, i}) file.triangles.push_back(corner);
    }
  }
  file.clusters = {root, arm};
  const std::vector<int> last = {kRows * 2 - 2, kRows * 2 - 1};
  file.shapes = {{"Lift", last, {{0, 0, 1}, {0, 0, 2}}, {{0, 0, 0}, {0, 0, 0}}, 50}};
  file.stacks = {{"Wave", 0, 1, {{2, "Lcl Rotation", 'Z', {0, 0.5, 1}, {0, 90, 45}}}}};
  return file;
}

class BinaryFbx : public ::testing::TestWithParam<FbxBinaryOptions> {
 protected:
  Character load(const std::string& bytes) {
    Result<Character> character = load_character(folder_.write("model.fbx", bytes), {}, &report_);
    if (!character) throw std::runtime_error(character.error().message);
    return std::move(*character);
  }
  TemporaryFolder folder_;
  ImportReport report_;
};

std::vector<std::array<float, 3>> numbers(const std::vector<Vec3>& vectors) {
  std::vector<std::array<float, 3>> result;
  for (const Vec3 v : vectors) result.push_back({v.x, v.y, v.z});
  return result;
}

TEST_P(BinaryFbx, IsReadAsTheTextIs) {
  const std::string text = fbx_text(ribbon());
  const Character expected = load(text), actual = load(fbx_binary(text, GetParam()));
  EXPECT_THAT(report_.warnings, ::testing::IsEmpty());
  ASSERT_EQ(actual.clips.size(), 1u);
  EXPECT_EQ(actual.clips[0].name, "Wave");
  ASSERT_EQ(actual.mesh.targets.size(), 1u);
  EXPECT_EQ(actual.mesh.targets[0].name, "Lift");
  EXPECT_EQ(actual.skeleton.joint_names, expected.skeleton.joint_names);
  for (const float seconds : {0.0f, 0.3f, 0.5f, 1.0f}) {
    EXPECT_EQ(numbers(pose(actual, 0, seconds).positions), numbers(pose(expected, 0, seconds).positions));
  }
  EXPECT_NE(numbers(pose(actual, 0, 0.5f).positions), numbers(pose(actual).positions));
}

TEST_P(BinaryFbx, HasItsVersionInTheFirstBytes) {
  const std::string bytes = fbx_binary(fbx_text(ribbon()), GetParam());
  ASSERT_TRUE(bytes.starts_with("Kaydara FBX Binary"));
  EXPECT_EQ(uint8_t(bytes[23]) + 256u * uint8_t(bytes[24]), GetParam().version);
}

INSTANTIATE_TEST_SUITE_P(Versions, BinaryFbx,
                         ::testing::Values(FbxBinaryOptions{7400, false}, FbxBinaryOptions{7400, true},
                                           FbxBinaryOptions{7500, false}, FbxBinaryOptions{7700, true}),
                         [](const auto& one) {
                           return std::to_string(one.param.version) + (one.param.compress ? "Compressed" : "");
                         });

TEST(BinaryFbxFile, IsSmallerWithCompressedArrays) {
  const std::string text = fbx_text(ribbon());
  EXPECT_LT(fbx_binary(text, {7400, true}).size() + 500, fbx_binary(text, {7400, false}).size());
}

}  // namespace
}  // namespace sinew::test
