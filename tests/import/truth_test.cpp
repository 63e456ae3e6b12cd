// Every model with reference positions agrees with them at every time they were taken.
#include <gtest/gtest.h>

#include "posing.h"
#include "sinew/import.h"
#include "truth.h"

namespace sinew::testing {
namespace {

const std::filesystem::path kShared = SINEW_SHARED_DIR;
constexpr double kTolerance = 1e-5;  // of the diagonal

/// What the reference looked at: skinned vertices, or all where nothing is skinned.
std::vector<Vec3> referenced(const Mesh& mesh, const std::vector<Vec3>& positions) {
  std::vector<Vec3> result;
  for (const MeshPart& part : mesh.parts) {
    if (part.kind != PartKind::kSkinned) continue;
    const auto first = positions.begin() + part.first_vertex;
    result.insert(result.end(), first, first + part.vertex_count);
  }
  return result.empty() ? positions : result;
}

class TruthTest : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(TruthTest, SkinnedVerticesAgree) {
  const Truth truth = read_truth(GetParam());
  const Result<Character> character = load_character((kShared / truth.model).string());
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_LT(truth.clip, character->clips.size());
  ASSERT_FALSE(truth.frames.empty());
  for (const Truth::Frame& frame : truth.frames) {
    const Posed posed = pose(*character, int(truth.clip), float(frame.time_seconds));
    const Deviation deviation = compare(frame, referenced(character->mesh, posed.positions));
    EXPECT_LE(deviation.point, kTolerance) << "a point at " << frame.time_seconds << " s";
    EXPECT_LE(deviation.bounds, kTolerance) << "the bounds at " << frame.time_seconds << " s";
  }
}

std::string name_of(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TruthTest);
INSTANTIATE_TEST_SUITE_P(Models, TruthTest, ::testing::ValuesIn(truth_files(kShared / "truth")), name_of);

TEST(TruthFolderTest, IsThere) {
  if (truth_files(kShared / "truth").empty()) GTEST_SKIP() << "NO REFERENCE POSITIONS in " << kShared / "truth";
}

}  // namespace
}  // namespace sinew::testing
