#include "sinew/animation/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rig.h"

namespace sinew {
namespace {

using Pose = std::vector<Transform>;

/// Two joints with the same translation, rotation and scale.
Pose pose_at(float x, double radians, float scale = 1) {
  return Pose(2, Transform{{x, 0, 0}, test::about_z(radians), {scale, scale, scale}});
}

Pose blend(std::vector<PoseLayer> layers) {
  const Pose rest = pose_at(100, 0);
  Pose result(2);
  blend_poses(layers, rest, result);
  return result;
}

TEST(Blend, WeightsNeedNotAddToOne) {
  const Pose a = pose_at(0, 0, 1), b = pose_at(8, 0, 3);
  const Transform mixed = blend({{a, 3, {}}, {b, 1, {}}})[0];
  EXPECT_EQ(mixed.translation.x, 2);
  EXPECT_EQ(mixed.scale.y, 1.5f);
}

TEST(Blend, EqualWeightsGiveTheMiddleRotation) {
  const Pose a = pose_at(0, 0.4), b = pose_at(0, 1.0);
  const Quat q = blend({{a, 1, {}}, {b, 1, {}}})[1].rotation;
  EXPECT_NEAR(test::angle_about_z(q), 0.7, 1e-6);
  EXPECT_NEAR(dot(q, q), 1, 1e-6);
}

TEST(Blend, RotationSignsFollowTheFirstLayer) {
  const Pose a = pose_at(0, 0.4);
  Pose b = pose_at(0, 1.0);
  for (Transform& local : b) local.rotation = -local.rotation;
  EXPECT_NEAR(test::angle_about_z(blend({{a, 1, {}}, {b, 1, {}}})[0].rotation), 0.7, 1e-6);
}

TEST(Blend, RotationSignsFollowTheFirstLayerOfNonZeroWeight) {
  const Pose ignored = pose_at(0, 0);
  Pose a = pose_at(0, 0.4), b = pose_at(0, 1.0);
  for (Transform& local : a) local.rotation = -local.rotation;
  const Quat q = blend({{ignored, 0, {}}, {a, 1, {}}, {b, 1, {}}})[0].rotation;
  EXPECT_LT(q.w, 0);
  EXPECT_NEAR(test::angle_about_z(-q), 0.7, 1e-6);
}

TEST(Blend, MasksSelectTheJointsOfALayer) {
  const Pose legs = pose_at(1, 0), arms = pose_at(2, 0);
  const std::vector<float> only_second = {0, 1}, only_first = {1, 0};
  const Pose mixed = blend({{legs, 1, only_first}, {arms, 1, only_second}});
  EXPECT_EQ(mixed[0].translation.x, 1);
  EXPECT_EQ(mixed[1].translation.x, 2);
}

TEST(Blend, JointWithoutAnyWeightFollowsTheFirstLayerOfNonZeroWeight) {
  const Pose ignored = pose_at(9, 0), a = pose_at(1, 0.5), b = pose_at(2, 0);
  const std::vector<float> mask = {1, 0};
  const Pose mixed = blend({{ignored, 0, {}}, {a, 1, mask}, {b, 1, mask}});
  EXPECT_EQ(mixed[0].translation.x, 1.5f);
  EXPECT_EQ(mixed[1].translation.x, 1);
  EXPECT_NEAR(test::angle_about_z(mixed[1].rotation), 0.5, 1e-6);
}

TEST(Blend, WithoutAnyWeightJointsKeepTheRestPose) {
  const Pose a = pose_at(1, 0);
  EXPECT_EQ(blend({{a, 0, {}}})[1].translation.x, 100);
  EXPECT_EQ(blend({})[0].translation.x, 100);
}

TEST(Blend, OutputMayBeOneOfTheLayers) {
  Pose a = pose_at(0, 0);
  const Pose b = pose_at(2, 0), rest = pose_at(100, 0);
  const PoseLayer layers[] = {{a, 1, {}}, {b, 1, {}}};
  blend_poses(layers, rest, a);
  EXPECT_EQ(a[0].translation.x, 1);
  EXPECT_EQ(a[1].translation.x, 1);
}

}  // namespace
}  // namespace sinew
