#include "sinew/animation/pose.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

TEST(Palette, IsTheJointTimesItsInverseBind) {
  const std::vector<Matrix3x4d> model_from_joint = {{}, {{{0, -1, 0, 5}, {1, 0, 0, 0}, {0, 0, 1, 0}}}};
  const Skin skin{{{1, {{{1, 0, 0, -3}, {0, 1, 0, 0}, {0, 0, 1, 0}}}}}};
  std::vector<Matrix3x4> palette(1);
  build_palette(skin, model_from_joint, palette);
  const Vec3 p = transform_point(palette[0], {4, 0, 0});  // x = 1 in joint space
  EXPECT_EQ(p.x, 5);
  EXPECT_EQ(p.y, 1);
}

TEST(Palette, OneJointMayHaveSeveralInverseBinds) {
  const std::vector<Matrix3x4d> model_from_joint(1);
  Skin skin{{{0, {}}, {0, {}}}};
  skin.entries[1].joint_from_mesh.m[2][3] = 9;
  std::vector<Matrix3x4> palette(2);
  build_palette(skin, model_from_joint, palette);
  EXPECT_EQ(palette[0].m[2][3], 0);
  EXPECT_EQ(palette[1].m[2][3], 9);
}

TEST(Palette, ConstantEntriesIgnoreTheJoints) {
  const std::vector<Matrix3x4d> model_from_joint = {{{{1, 0, 0, 77}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
  Skin skin{{{kNoJoint, {}}}};
  skin.entries[0].joint_from_mesh.m[0][3] = 2;
  std::vector<Matrix3x4> palette(1);
  build_palette(skin, model_from_joint, palette);
  EXPECT_EQ(palette[0].m[0][3], 2);
}

TEST(Palette, ScalesAsItsJointsAndClipsDo) {
  Skeleton skeleton{{"root", "child"}, {kNoJoint, 0}, {Transform{}, Transform{}}, {}};
  Skin skin{{{1, {}}}};
  Clip clip;
  clip.tracks.push_back({1, {}, {}, {}});
  const auto scaling = [&] { return palette_scaling(skeleton, skin, {&clip, 1}); };
  EXPECT_EQ(scaling(), PaletteScaling::kNone);

  skeleton.model_from_root = {{{0.01, 0, 0, 0}, {0, 0, -0.01, 0}, {0, 0.01, 0, 0}}};  // centimeters, z up
  EXPECT_EQ(scaling(), PaletteScaling::kUniform);
  skin.entries[0].joint_from_mesh = {{{100, 0, 0, 0}, {0, 100, 0, 0}, {0, 0, 100, 0}}};
  EXPECT_EQ(scaling(), PaletteScaling::kNone) << "the inverse bind matrix undoes it";

  Track<Vec3>& track = clip.tracks[0].scale;
  track = {{0, 1}, {{1, 1, 1}, {1, 1, 1}}};
  EXPECT_EQ(scaling(), PaletteScaling::kNone);
  track.values[1] = {2, 2, 2};
  EXPECT_EQ(scaling(), PaletteScaling::kUniform);
  for (const Vec3 bad : {Vec3{2, 2, 2.1f}, Vec3{-1, -1, -1}, Vec3{0, 0, 0}}) {
    track.values[1] = bad;
    EXPECT_EQ(scaling(), PaletteScaling::kAny) << bad.z;
  }
  track = {{0}, {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}, Interpolation::kCubic};
  EXPECT_EQ(scaling(), PaletteScaling::kNone);
  track.values[2] = {1, 1, 1};
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "it may overshoot";

  track = {};
  skeleton.rest_pose[0].scale = {1, 1, -1};
  EXPECT_EQ(scaling(), PaletteScaling::kAny);
  skeleton.rest_pose[0].scale = {1, 1, 1};
  skin.entries[0].joint_from_mesh.m[0][1] = 5;
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "a shear";
  skin.entries[0].joint_from_mesh = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "a mirror";
}

TEST(Palette, LargeOffsetsCancelBeforeRounding) {
  const double far = 1e6;
  std::vector<Matrix3x4d> model_from_joint(1);
  model_from_joint[0].m[0][3] = far + 0.001;
  Skin skin{{{0, {}}}};
  skin.entries[0].joint_from_mesh.m[0][3] = -far;
  std::vector<Matrix3x4> palette(1);
  build_palette(skin, model_from_joint, palette);
  EXPECT_NEAR(palette[0].m[0][3], 0.001, 1e-9);
}

}  // namespace
}  // namespace sinew
