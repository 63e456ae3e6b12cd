#include "sinew/animation/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

Skeleton skeleton_of(std::vector<int32_t> parents) {
  Skeleton skeleton;
  skeleton.joint_names.resize(parents.size());
  skeleton.rest_pose.resize(parents.size());
  skeleton.parents = std::move(parents);
  return skeleton;
}

TEST(Hierarchy, ChildrenFollowTheirParents) {
  const Skeleton skeleton = skeleton_of({-1, 0, 0});
  const float h = std::sqrt(0.5f);
  const std::vector<Transform> pose = {
      {{0, 10, 0}, {0, 0, h, h}, {2, 2, 2}}, {{1, 0, 0}, {}, {1, 1, 1}}, {{0, 1, 0}, {}, {1, 1, 1}}};
  std::vector<Matrix3x4d> model_from_joint(3);
  walk_hierarchy(skeleton, pose, model_from_joint);
  // The parent's x axis points along y and has the length 2.
  EXPECT_NEAR(model_from_joint[1].m[0][3], 0, 1e-6);
  EXPECT_NEAR(model_from_joint[1].m[1][3], 12, 1e-6);
  EXPECT_NEAR(model_from_joint[2].m[0][3], -2, 1e-6);
  EXPECT_NEAR(model_from_joint[2].m[1][3], 10, 1e-6);
}

TEST(Hierarchy, ModelFromRootAppliesToEveryRoot) {
  Skeleton skeleton = skeleton_of({-1, -1});
  skeleton.model_from_root = {{{0.01, 0, 0, 5}, {0, 0, 0.01, 0}, {0, -0.01, 0, 0}}};
  const std::vector<Transform> pose = {{{100, 0, 0}, {}, {1, 1, 1}}, {{0, 0, 100}, {}, {1, 1, 1}}};
  std::vector<Matrix3x4d> model_from_joint(2);
  walk_hierarchy(skeleton, pose, model_from_joint);
  EXPECT_NEAR(model_from_joint[0].m[0][3], 6, 1e-12);
  EXPECT_NEAR(model_from_joint[1].m[1][3], 1, 1e-12);
}

/// Transforms a point from joint to model space with quaternions, one ancestor after the other. Shares no code with
/// walk_hierarchy().
Vec3 through_parents(const Skeleton& skeleton, const std::vector<Transform>& pose, int32_t joint, Vec3 point) {
  for (; joint != kNoJoint; joint = skeleton.parents[size_t(joint)]) {
    const Transform& local = pose[size_t(joint)];
    const Vec3 scaled{point.x * local.scale.x, point.y * local.scale.y, point.z * local.scale.z};
    const Quat q = local.rotation, conjugate{-q.x, -q.y, -q.z, q.w};
    const Quat rotated = q * Quat{scaled.x, scaled.y, scaled.z, 0} * conjugate;
    point = Vec3{rotated.x, rotated.y, rotated.z} + local.translation;
  }
  return point;
}

TEST(Hierarchy, AgreesWithQuaternionsOnRandomTrees) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> scale(0.5f, 1.5f);
  for (int tree = 0; tree < 20; ++tree) {
    std::vector<int32_t> parents = {-1};
    std::vector<int32_t> ancestors = {0};
    while (parents.size() < 60) {
      while (ancestors.size() > 1 && random() % 3 == 0) ancestors.pop_back();
      parents.push_back(ancestors.back());
      ancestors.push_back(int32_t(parents.size()) - 1);
    }
    const Skeleton skeleton = skeleton_of(parents);
    ASSERT_TRUE(validate(skeleton));
    std::vector<Transform> pose;
    for (size_t j = 0; j < parents.size(); ++j) {
      pose.push_back({{normal(random), normal(random), normal(random)},
                      normalize(Quat{normal(random), normal(random), normal(random), normal(random)}),
                      {scale(random), scale(random), scale(random)}});
    }
    std::vector<Matrix3x4d> model_from_joint(parents.size());
    walk_hierarchy(skeleton, pose, model_from_joint);
    for (size_t j = 0; j < parents.size(); ++j) {
      const Vec3 expected = through_parents(skeleton, pose, int32_t(j), {1, 2, 3});
      EXPECT_LT(length(transform_point(model_from_joint[j], {1, 2, 3}) - expected), 1e-4f * (1 + length(expected)));
    }
  }
}

}  // namespace
}  // namespace sinew
