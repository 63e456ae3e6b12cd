#include "sinew/asset/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "message.h"
#include "sinew/asset/skin.h"

namespace sinew {
namespace {

using testing::HasSubstr;

Skeleton skeleton_of(std::vector<int32_t> parents) {
  Skeleton skeleton;
  for (size_t i = 0; i < parents.size(); ++i) skeleton.joint_names.push_back("joint_" + std::to_string(i));
  skeleton.rest_pose.resize(parents.size());
  skeleton.parents = std::move(parents);
  return skeleton;
}

TEST(Skeleton, JointsAreInDepthFirstOrderWithFiniteRestPosesAndArraysOfOneLength) {
  const auto message = [](const Skeleton& skeleton) { return test::message_of(validate(skeleton)); };
  EXPECT_EQ(message(skeleton_of({})), "");
  EXPECT_EQ(message(skeleton_of({-1, 0, 1, 0, 3, -1, 5})), "");
  EXPECT_THAT(message(skeleton_of({-1, 0, 0, 1})), HasSubstr("joint_3")) << "breadth first";
  for (const auto& parents : std::vector<std::vector<int32_t>>{{0}, {-1, 5}, {-2}})
    EXPECT_FALSE(validate(skeleton_of(parents))) << parents.back();
  Skeleton skeleton = skeleton_of({-1, 0});
  skeleton.rest_pose[1].translation.y = NAN;
  EXPECT_THAT(message(skeleton), HasSubstr("joint_1"));
  skeleton = skeleton_of({-1, 0});
  skeleton.humanoid_names = {"hips", ""};
  EXPECT_EQ(message(skeleton), "");
  skeleton.humanoid_names.pop_back();
  EXPECT_FALSE(validate(skeleton));
  skeleton.humanoid_names.clear();
  skeleton.joint_names.pop_back();
  EXPECT_FALSE(validate(skeleton));
}

TEST(Skeleton, JointsAreFoundAndMatchedByName) {
  Skeleton skeleton = skeleton_of({-1, 0, 1, 1});
  skeleton.joint_names[3] = "joint_1";  // a name twice: the first counts
  const std::vector<std::string> names = {"joint_2", "tail", "joint_1", "joint_0"};
  const auto matched = match_joints(skeleton, names);
  ASSERT_TRUE(matched);
  EXPECT_THAT(*matched, testing::ElementsAre(2, kNoJoint, 1, 0));
  EXPECT_EQ(find_joint(skeleton, "joint_2"), 2u);
  EXPECT_EQ(find_joint(skeleton, "tail"), std::nullopt);
}

TEST(Skin, EntriesMustReferToJointsOfTheSkeletonInOrder) {
  const Skeleton skeleton = skeleton_of({-1, 0});
  EXPECT_TRUE(validate(Skin{{{kNoJoint, {}}, {1, {}}, {1, {}}}}, skeleton));
  EXPECT_FALSE(validate(Skin{{{1, {}}, {0, {}}}}, skeleton)) << "out of order";
  EXPECT_FALSE(validate(Skin{{{2, {}}}}, skeleton));
  EXPECT_FALSE(validate(Skin{{{-2, {}}}}, skeleton));
  Skin infinite{{{0, {}}}};
  infinite.entries[0].joint_from_mesh.m[1][2] = INFINITY;
  EXPECT_FALSE(validate(infinite, skeleton));
}

TEST(Skin, MoreThan65536EntriesAreRefused) {
  Skin skin;
  skin.entries.resize(65537);
  EXPECT_FALSE(validate(skin, skeleton_of({-1})));
  skin.entries.resize(65536);
  EXPECT_TRUE(validate(skin, skeleton_of({-1})));
}

}  // namespace
}  // namespace sinew
