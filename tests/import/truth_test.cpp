// The skinned vertices of every model with reference positions match these at each of their times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "files.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "truth.h"

namespace sinew::test {
namespace {

const std::string kShared = SINEW_SHARED_DIR;
constexpr double kTruthTolerance = 1e-5;  // of the diagonal

/// The positions that the reference's bounds enclose: skinned vertices, or all vertices where no part is skinned.
std::vector<Vec3> referenced(const Truth& truth, const Mesh& mesh, const std::vector<Vec3>& positions) {
  if (!truth.skinned) return positions;
  std::vector<Vec3> result;
  for (const MeshPart& part : mesh.parts) {
    if (part.kind != PartKind::kSkinned) continue;
    const auto first = positions.begin() + part.first_vertex;
    result.insert(result.end(), first, first + part.vertex_count);
  }
  return result;
}

class TruthTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TruthTest, VerticesMatchTheReference) {
  const Truth truth = read_truth(kShared, GetParam());
  const Character character = must(load_character(truth.model, {truth.animations}));
  ASSERT_LT(truth.clip, character.clips.size());
  ASSERT_FALSE(truth.frames.empty());
  double worst = 0;
  for (const TruthFrame& frame : truth.frames) {
    const Posed posed = pose(character, int(truth.clip), float(frame.time_seconds));
    const Distance distance = distance_to(frame, referenced(truth, character.mesh, posed.positions));
    EXPECT_LE(distance.points, kTruthTolerance) << "at " << frame.time_seconds << " s";
    EXPECT_LE(distance.bounds, kTruthTolerance) << "at " << frame.time_seconds << " s";
    worst = std::max({worst, distance.points, distance.bounds});
  }
  std::printf("%s: within %.1e of the diagonal\n", GetParam().c_str(), worst);
}

std::string truth_name(const ::testing::TestParamInfo<std::string>& info) { return to_test_name(info.param); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TruthTest);
INSTANTIATE_TEST_SUITE_P(Models, TruthTest, ::testing::ValuesIn(truth_names(kShared)), truth_name);

TEST(OgreTest, SkeletonMovesItsMesh) {
  const std::string folder = kShared + "/cases", name = "o01_ogre_skeleton.mesh.xml.0.json";
  if (!std::filesystem::exists(folder + "/truth/" + name)) GTEST_SKIP() << "NO REFERENCE POSITIONS under " << folder;
  const Truth truth = read_truth(folder, name);
  const Character character = must(load_character(truth.model));
  EXPECT_EQ(character.mesh.vertex_count(), 3u);
  EXPECT_EQ(character.skeleton.joint_count(), 1u);
  for (const TruthFrame& frame : truth.frames) {
    const Posed posed = pose(character, int(truth.clip), float(frame.time_seconds));
    EXPECT_LE(distance_to(frame, posed.positions).points, kTruthTolerance) << "at " << frame.time_seconds << " s";
  }
}

TEST(TruthFolderTest, HasReferencePositions) {
  if (truth_names(kShared).empty()) GTEST_SKIP() << "NO REFERENCE POSITIONS under " << kShared;
}

TEST(TruthFolderTest, HasAModelWithASeparateAnimationFile) {
  for (const std::string& name : truth_names(kShared)) {
    if (!read_truth(kShared, name).animations.empty()) return;
  }
  GTEST_SKIP() << "NO REFERENCE POSITIONS of a model with a separate animation file, under " << kShared;
}

}  // namespace
}  // namespace sinew::test
