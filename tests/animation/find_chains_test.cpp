// Chains of humanoids, by the names of their joints.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rig.h"
#include "sinew/animation/inverse_kinematics.h"

namespace sinew {
namespace {

/// A humanoid in a T-pose whose joints have these names: hips, spine, neck, head; then of the left and of the right
/// side shoulder, arm, forearm, hand, thigh, shin, foot.
Character character_named(const std::vector<std::string>& names) {
  Character character;
  Skeleton& skeleton = character.skeleton;
  skeleton.joint_names = names;
  skeleton.parents = {kNoJoint, 0, 1, 2, 1, 4, 5, 6, 0, 8, 9, 1, 11, 12, 13, 0, 15, 16};
  const auto add = [&](Vec3 translation) { skeleton.rest_pose.push_back({translation, {}, {1, 1, 1}}); };
  for (const Vec3 center : {Vec3{0, 1, 0}, Vec3{0, 0.4f, 0}, Vec3{0, 0.1f, 0}, Vec3{0, 0.1f, 0}}) add(center);
  for (const float side : {1.0f, -1.0f}) {
    add({0.1f * side, 0, 0}), add({0.1f * side, 0, 0}), add({0.3f * side, 0, 0}), add({0.3f * side, 0, 0});
    add({0.1f * side, -0.1f, 0}), add({0, -0.4f, 0}), add({0, -0.4f, 0});
  }
  for (int32_t joint = 0; joint < 18; ++joint) character.skin.entries.push_back({joint, {}});
  return character;
}

const std::vector<std::string> kOwnNames = {
    "root",   "spine_1", "neck",       "head",        "clavicle_l", "upper_arm_l", "forearm_l", "hand_l", "thigh_l",
    "shin_l", "foot_l",  "clavicle_r", "upper_arm_r", "forearm_r",  "hand_r",      "thigh_r",   "shin_r", "foot_r"};

TEST(FindChains, KnowsTheNamesOfCommonPrograms) {
  const std::vector<std::vector<std::string>> programs = {
      {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Neck", "mixamorig:Head", "mixamorig:LeftShoulder",
       "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg",
       "mixamorig:LeftFoot", "mixamorig:RightShoulder", "mixamorig:RightArm", "mixamorig:RightForeArm",
       "mixamorig:RightHand", "mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"},
      {"DEF-spine", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006", "DEF-shoulder.L", "DEF-upper_arm.L",
       "DEF-forearm.L", "DEF-hand.L", "DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-shoulder.R", "DEF-upper_arm.R",
       "DEF-forearm.R", "DEF-hand.R", "DEF-thigh.R", "DEF-shin.R", "DEF-foot.R"},
      {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Neck", "J_Bip_C_Head", "J_Bip_L_Shoulder", "J_Bip_L_UpperArm",
       "J_Bip_L_LowerArm", "J_Bip_L_Hand", "J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot", "J_Bip_R_Shoulder",
       "J_Bip_R_UpperArm", "J_Bip_R_LowerArm", "J_Bip_R_Hand", "J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg", "J_Bip_R_Foot"},
      {"pelvis", "spine_01", "neck_01", "head", "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l", "calf_l",
       "foot_l", "clavicle_r", "upperarm_r", "lowerarm_r", "hand_r", "thigh_r", "calf_r", "foot_r"},
      {"hips", "spine", "neck", "head", "leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand", "leftUpperLeg",
       "leftLowerLeg", "leftFoot", "rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand", "rightUpperLeg",
       "rightLowerLeg", "rightFoot"},
      {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Neck", "Bip01 Head", "Bip01 L Clavicle", "Bip01 L UpperArm",
       "Bip01 L Forearm", "Bip01 L Hand", "Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 R Clavicle",
       "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand", "Bip01 R Thigh", "Bip01 R Calf", "Bip01 R Foot"},
      kOwnNames};
  const uint32_t limbs[4][3] = {{8, 9, 10}, {15, 16, 17}, {5, 6, 7}, {12, 13, 14}};
  const char* names[] = {"left leg", "right leg", "left arm", "right arm"};
  for (const auto& program : programs) {
    const auto chains = find_chains(character_named(program));
    ASSERT_TRUE(chains);
    ASSERT_EQ(chains->size(), 5u) << program[0];
    for (size_t i = 0; i < 4; ++i) {
      const auto& chain = std::get<TwoBoneChain>((*chains)[i].kind);
      EXPECT_EQ((*chains)[i].name, names[i]);
      EXPECT_EQ(chain.upper, limbs[i][0]) << program[i];
      EXPECT_EQ(chain.middle, limbs[i][1]) << program[i];
      EXPECT_EQ(chain.end, limbs[i][2]) << program[i];
      EXPECT_LT(length(chain.pole - Vec3{0, 0, i < 2 ? 1.0f : -1.0f}), 1e-6f) << program[i];
    }
    const auto& head = std::get<AimChain>((*chains)[4].kind);
    ASSERT_EQ(head.joints.size(), 2u);
    EXPECT_EQ(head.joints[0].joint, 2u);
    EXPECT_EQ(head.joints[1].joint, 3u);
    EXPECT_LT(length(head.axis - Vec3{0, 0, 1}), 1e-6f);
  }
}

TEST(FindChains, LeavesOutWhatIsNotThere) {
  Character character = character_named(kOwnNames);
  for (std::string& name : character.skeleton.joint_names) {
    if (name.ends_with("_r") || name == "hand_l") name = "stick";
  }
  const auto chains = find_chains(character);
  ASSERT_TRUE(chains);
  ASSERT_EQ(chains->size(), 2u);
  EXPECT_EQ((*chains)[0].name, "left leg");
  EXPECT_EQ((*chains)[1].name, "head");
  EXPECT_TRUE(find_chains(test::random_rig({}))->empty());
}

TEST(FindChains, BendOfTheRestPoseIsThePole) {
  Character character = character_named(kOwnNames);
  character.skeleton.rest_pose[9].translation = {0.1f, -0.4f, 0};
  character.skeleton.rest_pose[10].translation = {-0.1f, -0.4f, 0};
  const auto chains = find_chains(character);
  ASSERT_TRUE(chains);
  EXPECT_LT(length(std::get<TwoBoneChain>((*chains)[0].kind).pole - Vec3{1, 0, 0}), 1e-5f);
}

}  // namespace
}  // namespace sinew
