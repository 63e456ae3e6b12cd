// The face of the built-in character is the same in both files that have one: glTF through tinygltf, FBX through
// Assimp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "asset/larger_error.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;

constexpr float kFaceTolerance = 1e-5f;    // of the diagonal
constexpr double kNormalTolerance = 0.01;  // of how they turn: the FBX does not say, import computes it
constexpr float kFaceFramesPerSecond = 30;

/// The distance of two lists of vertices, taken corner by corner of triangles: files number vertices in other ways.
float farthest_corner(const Mesh& a, const std::vector<Vec3>& of_a, const Mesh& b, const std::vector<Vec3>& of_b) {
  float farthest = 0;
  for (size_t i = 0; i < a.indices.size(); ++i) {
    farthest = std::max(farthest, length(of_a[a.indices[i]] - of_b[b.indices[i]]));
  }
  return farthest;
}

/// The mean distance in place of the largest.
double mean_corner(const Mesh& a, const std::vector<Vec3>& of_a, const Mesh& b, const std::vector<Vec3>& of_b) {
  double sum = 0;
  for (size_t i = 0; i < a.indices.size(); ++i) sum += double(length(of_a[a.indices[i]] - of_b[b.indices[i]]));
  return sum / double(a.indices.size());
}

int frames_of(const Clip& clip) { return int(std::lround(clip.end_seconds * kFaceFramesPerSecond)); }

std::vector<std::string> target_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MorphTarget& target : mesh.targets) names.push_back(target.name);
  return names;
}

class FacesTest : public ::testing::Test {
 protected:
  static Character loaded(const char* file) {
    Result<Character> character = load_character(std::string(SINEW_SOURCE_DIR "/assets/") + file);
    EXPECT_TRUE(character) << character.error().message;
    return character ? std::move(*character) : Character();
  }

  void SetUp() override {
    convert_space(fbx_, glb_.space);
    ASSERT_EQ(glb_.mesh.indices.size(), fbx_.mesh.indices.size());
    rest_ = pose(glb_).positions;
    ASSERT_LT(farthest_corner(glb_.mesh, rest_, fbx_.mesh, pose(fbx_).positions), kFaceTolerance * diagonal_of(rest_))
        << "other triangles, or in another order";
  }

  Character glb_ = loaded("character.glb"), fbx_ = loaded("character.fbx");
  std::vector<Vec3> rest_;
};

TEST_F(FacesTest, HaveTheSameTargetsAtRest) {
  for (const Character* character : {&glb_, &fbx_}) {
    EXPECT_THAT(target_names(character->mesh), ElementsAre("blink", "smile", "open_mouth"));
    for (const MorphTarget& target : character->mesh.targets) EXPECT_EQ(target.rest_weight, 0) << target.name;
  }
}

TEST_F(FacesTest, MoveInTheSameClipsOnly) {
  for (const Character* character : {&glb_, &fbx_}) {
    std::vector<std::string> moving;
    for (const Clip& clip : character->clips) {
      if (!clip.weights.empty()) moving.push_back(clip.name.substr(clip.name.find('|') + 1));
    }
    EXPECT_THAT(moving, ElementsAre("cheer", "idle"));
  }
}

TEST_F(FacesTest, WeightsAreSharesOfOne) {
  for (const char* name : {"cheer", "idle"}) {
    const Clip& clip = glb_.clips.at(*find_clip(glb_.clips, name));
    const Clip& same = fbx_.clips.at(*find_clip(fbx_.clips, std::string("skeleton|") + name));
    for (int half = 0; half <= 2 * frames_of(clip); ++half) {  // between keys too
      const float time = float(half) / (2 * kFaceFramesPerSecond);
      float weights[3] = {}, others[3] = {};
      sample_weights(clip, glb_.mesh.targets, time, weights);
      sample_weights(same, fbx_.mesh.targets, time, others);
      for (int t = 0; t < 3; ++t) EXPECT_NEAR(weights[t], others[t], 2e-4f) << name << " at " << time << " s, " << t;
    }
  }
}

TEST_F(FacesTest, VerticesAreTheSameInEveryFrame) {
  const float diagonal = diagonal_of(rest_);
  for (const char* name : {"cheer", "idle"}) {
    const uint32_t clip = *find_clip(glb_.clips, name);
    const uint32_t same = *find_clip(fbx_.clips, std::string("skeleton|") + name);
    Character expressionless = glb_;
    expressionless.clips[clip].weights.clear();
    float worst = 0, expression = 0;
    double turned = 0, turned_otherwise = 0;
    for (int frame = 0; frame <= frames_of(glb_.clips[clip]); ++frame) {
      const float time = float(frame) / kFaceFramesPerSecond;
      const Posed a = pose(glb_, int(clip), time), b = pose(fbx_, int(same), time);
      worst = sinew::internal::larger_error(worst, farthest_corner(glb_.mesh, a.positions, fbx_.mesh, b.positions));
      const Posed still = pose(expressionless, int(clip), time);
      turned += mean_corner(glb_.mesh, a.normals, glb_.mesh, still.normals);
      turned_otherwise += mean_corner(glb_.mesh, a.normals, fbx_.mesh, b.normals);
      expression = std::max(expression, farthest_corner(glb_.mesh, a.positions, glb_.mesh, still.positions));
    }
    EXPECT_LT(worst, kFaceTolerance * diagonal) << name;
    EXPECT_LT(turned_otherwise, kNormalTolerance * turned) << name;
    EXPECT_GT(expression, 0.01f) << name;  // meters
    std::printf("%s: positions within %.1e of the diagonal, normals within %.0f %%; the face moves by up to %.1f mm\n",
                name, double(worst / diagonal), 100 * turned_otherwise / turned, double(1000 * expression));
  }
}

}  // namespace
}  // namespace sinew::test
