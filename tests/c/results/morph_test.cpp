// Morph targets through the C interface: what it hands out and computes is what C++ has.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "animation/rig.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/c/sinew.h"

namespace sinew {
namespace {

constexpr uint32_t kMorphInstances = 5, kStride = 4;

/// A triangle on two joints, with two targets, one of them at half weight without a clip.
Character face() {
  Character character = test::random_rig({.joints = 2, .clips = 1});
  Mesh& mesh = character.mesh = test::triangle(1);
  mesh.first_influence = {0, 1, 3, 4};
  mesh.influences = {{0, 1}, {0, 0.75f}, {1, 0.25f}, {1, 1}};
  mesh.parts[0].kind = PartKind::kSkinned;
  mesh.targets = {{"open", 0, {1, 2}, {{0, 0, 1}, {0, 0.5f, 0}}, {{0, 1, 0}, {0.25f, 0, 0}}, {}},
                  {"smile", 0.5f, {0}, {{0, 0, 2}}, {}, {}}};
  character.clips[0].weights = {{0, {{0, 0.5f, 1}, {0, 1, 0.25f}}}};
  return character;
}

class MorphTargetsInC : public testing::Test {
 protected:
  MorphTargetsInC() {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();  // tests run side by side
    const std::string path = testing::TempDir() + "morph_targets_of_c_" + name + ".sinew";
    EXPECT_TRUE(write_character_file(path, {face(), {}, {}}));
    expect_ok(sinew_character_load(path.c_str(), &handle_, &error_));
    std::remove(path.c_str());
    for (uint32_t i = 0; i < kMorphInstances; ++i)
      playbacks_[i].layers[0] = {0, 0.2f * float(i), i == 4 ? 0.0f : 1.0f, 0};
  }
  ~MorphTargetsInC() override { sinew_character_destroy(handle_); }

  void expect_ok(SinewResult result) { EXPECT_EQ(result, SINEW_OK) << error_.message; }

  std::vector<Playback> playbacks() const {
    std::vector<Playback> result(kMorphInstances);
    std::memcpy(static_cast<void*>(result.data()), playbacks_, sizeof playbacks_);
    return result;
  }

  SinewEvaluateInfo evaluate_info(std::vector<SinewMatrix3x4>& palettes, std::vector<float>& weights) const {
    SinewEvaluateInfo info = SINEW_INIT(SinewEvaluateInfo);
    info.instance_count = kMorphInstances, info.playbacks = playbacks_;
    info.palettes = palettes.data(), info.palette_count = palettes.size(), info.palette_stride = 4;
    info.weights = weights.data(), info.weight_count = weights.size(), info.weight_stride = kStride;
    return info;
  }

  SinewError error_ = SINEW_INIT(SinewError);
  SinewCharacter* handle_ = nullptr;
  SinewPlayback playbacks_[kMorphInstances] = {};
};

TEST_F(MorphTargetsInC, AreHandedOut) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  expect_ok(sinew_character_info(handle_, &info, &error_));
  EXPECT_EQ(info.target_count, 2u);
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  expect_ok(sinew_character_mesh(handle_, 0, &mesh, &error_));
  ASSERT_EQ(mesh.target_count, 2u);
  const SinewMorphTarget &open = mesh.targets[0], &smile = mesh.targets[1];
  EXPECT_STREQ(open.name, "open");
  EXPECT_EQ(open.vertex_count, 2u);
  EXPECT_EQ(open.vertices[1], 2u);
  EXPECT_EQ(open.positions[4], 0.5f);
  EXPECT_EQ(open.normals[3], 0.25f);
  EXPECT_EQ(open.tangents, nullptr);
  EXPECT_EQ(smile.rest_weight, 0.5f);
  EXPECT_EQ(smile.normals, nullptr);
}

TEST_F(MorphTargetsInC, WeightsAreThoseOfCpp) {
  const Character character = face();
  std::vector<float> expected(kMorphInstances * kStride, -7);
  ASSERT_TRUE(evaluate_weights_exact(character, playbacks(), kStride, expected));
  EXPECT_EQ(expected[4 * kStride + 1], 0.5f);
  EXPECT_NE(expected[1 * kStride], expected[2 * kStride]);

  std::vector<float> weights(kMorphInstances * kStride, -7);
  std::vector<SinewMatrix3x4> palettes(kMorphInstances * 4);
  SinewEvaluateInfo info = evaluate_info(palettes, weights);
  expect_ok(sinew_character_evaluate_exact(handle_, &info, &error_));
  EXPECT_EQ(weights, expected);

  expect_ok(sinew_character_bake(handle_, nullptr, &error_));
  SinewEvaluator* evaluator = nullptr;
  expect_ok(sinew_evaluator_create(handle_, &evaluator, &error_));
  std::fill(weights.begin(), weights.end(), -7.0f);
  expect_ok(sinew_evaluator_evaluate(evaluator, &info, &error_));
  for (size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(weights[i], expected[i], 1e-3) << i;
  sinew_evaluator_destroy(evaluator);
}

TEST_F(MorphTargetsInC, MoveVerticesAsInCpp) {
  const Character character = face();
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  expect_ok(sinew_character_mesh(handle_, 0, &mesh, &error_));
  const SinewMatrix3x4 palette[2] = {{{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                     {{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, -1, 5}}}};
  const float weights[] = {0.5f, 2};
  Vec3 expected[3], normals[3];
  skin_on_cpu(character.mesh, {reinterpret_cast<const Matrix3x4*>(palette), 2}, expected, normals, {}, weights);
  EXPECT_EQ(expected[0].z, 4);
  float positions[9];
  expect_ok(sinew_skin_on_cpu(&mesh, palette, 2, weights, positions, nullptr, &error_));
  EXPECT_EQ(std::memcmp(positions, expected, sizeof positions), 0);
  expect_ok(sinew_skin_on_cpu(&mesh, palette, 2, nullptr, positions, nullptr, &error_));
  EXPECT_EQ(positions[2], 0) << "no weights: the targets do not count";
}

}  // namespace
}  // namespace sinew
