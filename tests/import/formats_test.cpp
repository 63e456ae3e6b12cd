// The built-in character is the same in every format in which the Blender script exports it: GLB, FBX and COLLADA,
// which has no face. Formats whose animation is not read say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asset/larger_error.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The clip whose name ends with `name`, or -1. Some formats put the name of the armature or of another clip before it.
int clip_ending_in(const Character& character, const std::string& name) {
  for (size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name.ends_with(name)) return int(i);
  }
  return -1;
}

/// The distances of two lists of vertices, taken corner by corner of triangles: files number vertices in other ways.
struct CornerDistance {
  float farthest = 0;
  double mean = 0;

  CornerDistance(const Mesh& a, const std::vector<Vec3>& of_a, const Mesh& b, const std::vector<Vec3>& of_b) {
    for (size_t i = 0; i < a.indices.size(); ++i) {
      const float distance = length(of_a[a.indices[i]] - of_b[b.indices[i]]);
      farthest = sinew::internal::larger_error(farthest, distance);
      mean += double(distance) / double(a.indices.size());
    }
  }
};

Vec2 mean_uv(const Mesh& mesh) {
  Vec2 sum;
  for (const uint32_t v : mesh.indices) sum = {sum.x + mesh.uvs[v].x, sum.y + mesh.uvs[v].y};
  return {sum.x / float(mesh.indices.size()), sum.y / float(mesh.indices.size())};
}

class FormatsTest : public ::testing::TestWithParam<const char*> {
 protected:
  static Character loaded(const std::string& extension) {
    return must(load_character(SINEW_SOURCE_DIR "/assets/character." + extension));
  }

  void SetUp() override {
    if (other_.mesh.targets.empty()) {  // COLLADA
      glb_.mesh.targets.clear();
      for (Clip& clip : glb_.clips) clip.weights.clear();
    }
    convert_space(other_, glb_.space);
    ASSERT_EQ(other_.mesh.indices.size(), glb_.mesh.indices.size());
  }

  Character glb_ = loaded("glb"), other_ = loaded(GetParam());  // in meters, y up
};

TEST_P(FormatsTest, BuiltInCharacterIsTheSameAsInGltf) {
  EXPECT_EQ(other_.skin.palette_size(), glb_.skin.palette_size());
  EXPECT_EQ(other_.mesh.vertex_count(), glb_.mesh.vertex_count());
  EXPECT_NEAR(mean_uv(glb_.mesh).x, mean_uv(other_.mesh).x, 1e-3f);
  EXPECT_NEAR(mean_uv(glb_.mesh).y, mean_uv(other_.mesh).y, 1e-3f);
  ASSERT_EQ(glb_.clips.size(), 6u);
  EXPECT_EQ(other_.clips.size(), 6u);
  const std::vector<Vec3> rest = pose(glb_).positions;
  const float within = 1e-5f * diagonal_of(rest);
  EXPECT_LT(CornerDistance(glb_.mesh, rest, other_.mesh, pose(other_).positions).farthest, within);
  for (size_t i = 0; i < glb_.clips.size(); ++i) {
    const Clip& clip = glb_.clips[i];
    const int same = clip_ending_in(other_, clip.name);
    ASSERT_GE(same, 0) << clip.name;
    EXPECT_NEAR(other_.clips[size_t(same)].end_seconds, clip.end_seconds, 1e-5f) << clip.name;
    for (const float share : {0.0f, 0.3f, 0.6f, 1.0f}) {
      const float time = std::round(share * clip.end_seconds * 30) / 30;  // at a frame
      const auto a = pose(glb_, int(i), time).positions, b = pose(other_, same, time).positions;
      EXPECT_LT(CornerDistance(glb_.mesh, a, other_.mesh, b).farthest, within) << clip.name << " at " << time << " s";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatsTest, ::testing::Values("fbx", "dae"),
                         [](const auto& format) { return std::string(format.param); });

/// The face, in both files that have one.
class FacesTest : public FormatsTest {};

TEST_P(FacesTest, HasTheSameTargetsAndWeights) {
  for (const Character* character : {&glb_, &other_}) {
    std::vector<std::string> names, moving;
    for (const MorphTarget& target : character->mesh.targets) {
      names.push_back(target.name);
      EXPECT_EQ(target.rest_weight, 0) << target.name;
    }
    for (const Clip& clip : character->clips) {
      if (!clip.weights.empty()) moving.push_back(clip.name.substr(clip.name.find('|') + 1));
    }
    EXPECT_THAT(names, ElementsAre("blink", "smile", "open_mouth"));
    EXPECT_THAT(moving, ElementsAre("cheer", "idle"));
  }
  for (const char* name : {"cheer", "idle"}) {
    const Clip& clip = glb_.clips.at(size_t(clip_ending_in(glb_, name)));
    const Clip& same = other_.clips.at(size_t(clip_ending_in(other_, name)));
    for (float time = 0; time <= clip.end_seconds; time += 1 / 60.0f) {  // between keys too
      float weights[3] = {}, others[3] = {};
      sample_weights(clip, glb_.mesh.targets, time, weights);
      sample_weights(same, other_.mesh.targets, time, others);
      for (int t = 0; t < 3; ++t) EXPECT_NEAR(weights[t], others[t], 2e-4f) << name << " at " << time << " s, " << t;
    }
  }
}

/// FBX does not say how normals turn: import computes it.
TEST_P(FacesTest, TurnsItsNormalsAlike) {
  for (const char* name : {"cheer", "idle"}) {
    const int clip = clip_ending_in(glb_, name), same = clip_ending_in(other_, name);
    Character still = glb_;
    still.clips[size_t(clip)].weights.clear();
    float moved = 0;
    double turned = 0, turned_otherwise = 0;
    for (float time = 0; time <= glb_.clips[size_t(clip)].end_seconds; time += 0.1f) {
      const Posed a = pose(glb_, clip, time), b = pose(other_, same, time), without = pose(still, clip, time);
      turned += CornerDistance(glb_.mesh, a.normals, still.mesh, without.normals).mean;
      turned_otherwise += CornerDistance(glb_.mesh, a.normals, other_.mesh, b.normals).mean;
      moved = std::max(moved, CornerDistance(glb_.mesh, a.positions, still.mesh, without.positions).farthest);
    }
    EXPECT_LT(turned_otherwise, 0.01 * turned) << name;
    EXPECT_GT(moved, 0.01f) << name;  // meters
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FacesTest, ::testing::Values("fbx"),
                         [](const auto& format) { return std::string(format.param); });

class JointlessFormatTest : public ::testing::TestWithParam<const char*> {};

TEST_P(JointlessFormatTest, GivesAWarningThatAnimationIsNotRead) {
  const std::string file = std::string(SINEW_ASSIMP_MODELS_DIR) + "/" + GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "NO MODEL " << file << ": install assimp-testmodels";
  ImportReport report;
  const Character character = must(load_character(file, {}, &report));
  EXPECT_EQ(report.static_vertices, report.vertices);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("its animation is not read")));
}

INSTANTIATE_TEST_SUITE_P(Formats, JointlessFormatTest,
                         ::testing::Values("IQM/mrfixit.iqm", "B3D/WusonBlitz.b3d", "MS3D/Wuson.ms3d", "MD2/faerie.md2",
                                           "MD2/sydney.md2", "MDC/spider.mdc", "MDL/MDL3 (3DGS A4)/minigun.MDL"));

}  // namespace
}  // namespace sinew::test
