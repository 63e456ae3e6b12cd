// `sinew pose`: positions against those that other programs computed, and the device against the CPU skinner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

#include "asset/larger_error.h"
#include "child.h"
#include "distance.h"
#include "long_run.h"
#include "ply_file.h"
#include "sinew/import/import.h"
#include "truth.h"

namespace sinew::test {
namespace {

using ::testing::UnorderedElementsAre;

constexpr double kPositionTolerance = 1e-5;  // share of the diagonal of the bounding box
constexpr double kNormalTolerance = 0.02;    // degrees
constexpr double kMorphedTolerance = 0.15;   // degrees, where morph targets turn normals: docs/figures.md

PlyFile pose(const std::vector<std::string>& arguments) {
  const Folder folder;
  std::vector<std::string> command{"pose"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--output", folder.path("pose.ply")});
  const Outcome outcome = sinew(command);
  if (outcome.exit_code != 0) throw std::runtime_error(outcome.err);
  EXPECT_THAT(folder.files(), UnorderedElementsAre("pose.ply"));
  return read_ply(folder.path("pose.ply"));
}

PlyFile pose(const Truth& truth, double time_seconds, const char* skinning) {
  char time[32];
  snprintf(time, sizeof time, "%.9g", time_seconds);
  std::vector<std::string> arguments{truth.model,  "--clip", std::to_string(truth.clip), "--time", time,
                                     "--skinning", skinning};
  for (const std::string& file : truth.animations) arguments.insert(arguments.end(), {"--animation", file});
  return pose(arguments);
}

void expect_agreement(const Truth& truth, const TruthFrame& frame, const PlyFile& ply) {
  const Distance distance = distance_to(frame, truth.skinned ? ply.positions_of_kind(2) : ply.positions);
  EXPECT_LE(distance.points, kPositionTolerance) << truth.model << " at " << frame.time_seconds;
  EXPECT_LE(distance.bounds, kPositionTolerance) << truth.model << " at " << frame.time_seconds;
}

void expect_equal(const PlyFile& a, const PlyFile& b, double diagonal, double normal_tolerance = kNormalTolerance) {
  EXPECT_LE(largest_distance(a.positions, b.positions) / diagonal, kPositionTolerance);
  ASSERT_EQ(a.normals.size(), b.normals.size());
  EXPECT_EQ(a.kinds, b.kinds);
  EXPECT_EQ(a.triangles, b.triangles);
  double max_degrees = 0;
  for (size_t i = 0; i < a.normals.size(); ++i) {
    const double sine = length(cross(a.normals[i], b.normals[i]));
    max_degrees = sinew::internal::larger_error(
        max_degrees, std::atan2(sine, double(dot(a.normals[i], b.normals[i]))) * 180 / std::numbers::pi);
  }
  EXPECT_LE(max_degrees, normal_tolerance);
}

void expect_valid(const PlyFile& ply) {
  EXPECT_FALSE(ply.positions.empty());
  EXPECT_FALSE(ply.triangles.empty());
  EXPECT_TRUE(std::all_of(ply.positions.begin(), ply.positions.end(), [](Vec3 p) { return is_finite(p); }));
  EXPECT_TRUE(
      std::all_of(ply.normals.begin(), ply.normals.end(), [](Vec3 n) { return std::abs(length(n) - 1) < 1e-4f; }));
  for (const auto& triangle : ply.triangles) {
    for (const uint32_t vertex : triangle) ASSERT_LT(vertex, ply.positions.size());
  }
}

double diagonal_of(const TruthFrame& frame) {
  return std::hypot(frame.max[0] - frame.min[0], frame.max[1] - frame.min[1], frame.max[2] - frame.min[2]);
}

/// All frames in the long run, else the last: the first may be the pose at rest.
std::vector<TruthFrame> frames_of(const Truth& truth) {
  return some_of(std::vector<TruthFrame>(truth.frames.rbegin(), truth.frames.rend()), 1);
}

class PoseTruth : public ::testing::TestWithParam<std::string> {};

TEST_P(PoseTruth, CpuSkinnerAndDeviceMatchTheReferencePositionsAndEachOther) {
  const Truth truth = read_truth(SINEW_SHARED_DIR, GetParam());
  ASSERT_FALSE(truth.frames.empty());
  const bool is_morphed = !must(load_character(truth.model)).mesh.targets.empty();
  for (const TruthFrame& frame : frames_of(truth)) {
    const PlyFile of_cpu = pose(truth, frame.time_seconds, "cpu");
    expect_valid(of_cpu);
    expect_agreement(truth, frame, of_cpu);
    if (!has_device()) continue;
    const PlyFile of_device = pose(truth, frame.time_seconds, "compute");
    expect_valid(of_device);
    expect_agreement(truth, frame, of_device);
    expect_equal(of_device, of_cpu, diagonal_of(frame), is_morphed ? kMorphedTolerance : kNormalTolerance);
  }
  SINEW_SKIP_WITHOUT_DEVICE();
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  return to_test_name(info.param.substr(0, info.param.rfind('.')));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PoseTruth);
INSTANTIATE_TEST_SUITE_P(Shared, PoseTruth, ::testing::ValuesIn(truth_names(SINEW_SHARED_DIR)), test_name);

class PoseOfAFile : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT(shared("models/kaykit/Knight.glb")); }
};

TEST_F(PoseOfAFile, KindsSeparateRigidAndSkinnedVertices) {
  const PlyFile knight = pose({shared("models/kaykit/Knight.glb"), "--skinning", "cpu"});
  EXPECT_EQ(knight.positions_of_kind(2).size(), 3716u);  // as MANIFEST.md counts them
  EXPECT_FALSE(knight.positions_of_kind(1).empty());
  const PlyFile robot = pose({shared("models/kenney/character.glb"), "--skinning", "cpu"});
  EXPECT_EQ(robot.positions_of_kind(1).size(), robot.positions.size());
}

TEST_F(PoseOfAFile, ClipsOfAnotherFileAreMatchedByJointName) {
  const std::string man = shared("models/raylib/greenman.glb");
  const PlyFile own = pose({man, "--skinning", "cpu", "--clip", "2_move", "--time", "0.3"});
  const PlyFile other = pose({man, "--animation", man, "--skinning", "cpu", "--clip", "6", "--time", "0.3"});
  expect_equal(own, other, 1);
}

TEST_F(PoseOfAFile, CrowdEvaluatorIsWithinTheErrorOfTheBake) {
  const auto posed = [](const char* evaluator) {
    return pose({SINEW_SOURCE_DIR "/assets/character.glb", "--clip", "walk", "--time", "0.37", "--skinning", "cpu",
                 "--evaluator", evaluator});
  };
  const float max_distance = largest_distance(posed("exact").positions, posed("crowd").positions);
  EXPECT_GT(max_distance, 1e-7f) << "no difference: the crowd evaluator was not used";
  EXPECT_LE(max_distance, 2e-4f) << "meters; a vertex more than 0.1 m from its joint may be off by more than 0.1 mm";
}

}  // namespace
}  // namespace sinew::test
