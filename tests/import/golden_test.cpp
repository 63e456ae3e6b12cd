// The vertices of every available rigged file match those of three.js and Blender, at up to five times of up to three
// clips.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "../animation/rig.h"
#include "asset/larger_error.h"
#include "files.h"
#include "golden.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

const std::string kFolder = std::string(SINEW_SOURCE_DIR) + "/tests/golden/";
constexpr double kTolerance = 1e-5;  // of the diagonal

/// The path of a golden file's model.
std::string path_of(const std::string& model) {
  const std::pair<std::string, std::string> folders[] = {{"assets/", SINEW_SOURCE_DIR "/assets/"},
                                                         {"shared/", SINEW_SHARED_DIR "/"},
                                                         {"assimp/", SINEW_ASSIMP_MODELS_DIR "/"}};
  for (const auto& [start, folder] : folders) {
    if (model.starts_with(start)) return folder + model.substr(start.size());
  }
  return model;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    golden_ = read_golden(kFolder + GetParam());
    const std::string path = path_of(golden_.model);
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "NO MODEL " << path;
    character_ = must(load_character(path));
    character_.mesh.blend = golden_.blend;
    ASSERT_FALSE(golden_.clips.empty());
  }

  Golden golden_;
  Character character_;
};

TEST_P(GoldenTest, ExactEvaluatorMatches) {
  double worst = 0;
  for (const GoldenClip& clip : golden_.clips) {
    const int index = find_golden_clip(clip, character_.clips);
    ASSERT_GE(index, 0) << clip.name;
    std::vector<std::vector<Vec3>> actual;
    for (const GoldenFrame& frame : clip.frames)
      actual.push_back(pose(character_, index, frame.time_seconds).positions);
    const GoldenDistance distance = compare(clip, actual);
    const double diagonal = diagonal_of(clip);
    EXPECT_LE(distance.to_actual / diagonal, kTolerance) << clip.name;
    EXPECT_LE(distance.to_golden / diagonal, kTolerance) << clip.name;
    EXPECT_LE(distance.by_index / diagonal, kTolerance) << clip.name;
    EXPECT_LE(distance.bounds / diagonal, kTolerance) << clip.name;
    worst = sinew::internal::larger_error(worst, distance.worst() / diagonal);
  }
  std::printf("%s (%s): within %.1e of the diagonal\n", golden_.model.c_str(), golden_.witness.c_str(), worst);
}

/// The largest distance of a vertex to a joint that influences it, in the rest pose, in model units.
double farthest_from_joints(const Character& character) {
  std::vector<Matrix3x4d> joints(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, joints);
  double farthest = 0;
  for (uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
    for (const Influence influence : character.mesh.influences_of(v)) {
      const PaletteEntry& entry = character.skin.entries[influence.entry];
      if (entry.joint == kNoJoint) continue;
      const Matrix3x4d& joint = joints[size_t(entry.joint)];
      const Vec3 origin = transform_point(joint, {}),
                 point = transform_point(joint * entry.joint_from_mesh, character.mesh.positions[v]);
      farthest = std::max(farthest, double(length(point - origin)));
    }
  }
  return farthest;
}

/// The largest distance that vertices of the crowd evaluator may have to those of the exact evaluator. A bake's error
/// is that of points at its error radius from each joint. A wrong rotation moves points in proportion to their
/// distance.
double largest_bound(const Character& character, const BakedCharacter& baked, const BakedClip& clip) {
  const double units_per_meter = extent_of(character) / 1.8;
  const double radius = double(baked.options.error_radius) * units_per_meter;
  return double(clip.error) * units_per_meter * (1 + farthest_from_joints(character) / radius);
}

TEST_P(GoldenTest, CrowdEvaluatorIsWithinItsErrorBound) {
  const BakedCharacter baked = must(bake(character_));
  double worst = 0;
  for (const GoldenClip& clip : golden_.clips) {
    const int index = find_golden_clip(clip, character_.clips);
    ASSERT_GE(index, 0) << clip.name;
    std::vector<Playback> instances;
    for (const GoldenFrame& frame : clip.frames) instances.push_back({{{uint32_t(index), frame.time_seconds, 1}}});
    Palettes palettes = evaluate_baked(baked, instances);
    const uint32_t targets = baked.target_count();
    std::vector<float> weights(targets * instances.size());
    ASSERT_TRUE(evaluate_weights(baked, instances, targets, weights));
    std::vector<std::vector<Vec3>> actual;
    for (size_t i = 0; i < instances.size(); ++i) {
      std::vector<Vec3> normals(character_.mesh.vertex_count());
      skin_on_cpu(character_.mesh, palettes.of(i), actual.emplace_back(normals.size()), normals, {},
                  std::span(weights).subspan(i * targets, targets));
    }
    const double distance = compare(clip, actual).worst(), diagonal = diagonal_of(clip);
    EXPECT_LE(distance, largest_bound(character_, baked, baked.clips[size_t(index)]) + kTolerance * diagonal);
    worst = sinew::internal::larger_error(worst, distance / diagonal);
  }
  std::printf("%s: crowd within %.1e of the diagonal\n", golden_.model.c_str(), worst);
}

std::string golden_name(const ::testing::TestParamInfo<std::string>& info) {
  return to_test_name(info.param.substr(0, info.param.rfind('.')));
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenTest, ::testing::ValuesIn(json_files(kFolder)), golden_name);

}  // namespace
}  // namespace sinew::test
