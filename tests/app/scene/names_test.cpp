// Clips and joints are found by name in any case, and a wrong name lists the nearest ones. What names mean is in their
// whole words: "soldier" does not contain the word "die".
#include "scene/names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "must.h"

namespace sinew::app {
namespace {

/// The number of the clip that is found, or what is said where there is none.
std::string found(const std::vector<std::string>& names, const std::string& name) {
  std::vector<Clip> clips;
  for (const std::string& each : names) clips.emplace_back().name = each;
  const auto clip = find_clip_by_name(clips, name);
  if (clip) return std::to_string(*clip);
  EXPECT_EQ(clip.error().code, ErrorCode::kNotFound);
  return clip.error().message;
}

TEST(FindNames, ClipsAreFoundByNameThenInAnyCaseThenByNumber) {
  for (const auto& [name, number] : {std::pair("run", "1"), {"Run", "2"}, {"rUN", "0"}})
    EXPECT_EQ(found({"RUN", "run", "Run", "Run"}, name), number);
  EXPECT_EQ(found({"a", "b", "0"}, "1"), "1");
  EXPECT_EQ(found({"a", "b", "0"}, "0"), "2") << "it is a name";
  for (const char* wrong : {"Running", "Running_", "unning_A", "", "Running_AB", "1", "-1", "0.0", "0x0"})
    EXPECT_TRUE(found({"Running_A"}, wrong).starts_with("no clip \"")) << wrong;
}

TEST(FindNames, AWrongNameListsTheThreeNearestAtMost) {
  const std::vector<std::string> many = {"Block",        "WALKING_A", "Cheer",    "Running_A",
                                         "Death_A_Pose", "Running_B", "Running_A"};
  EXPECT_EQ(found(many, "runing"), "no clip \"runing\"; nearest: \"Running_A\", \"Running_B\", \"WALKING_A\"");
  EXPECT_EQ(found({"Sit", "Jump", "Wave", "Walk"}, "walc"), "no clip \"walc\"; nearest: \"Walk\", \"Wave\", \"Sit\"");
  EXPECT_EQ(found({"Idle", "Run"}, "idel"), "no clip \"idel\"; nearest: \"Idle\", \"Run\"");
  EXPECT_EQ(found({}, "Run"), "no clip \"Run\"; it has none");
  EXPECT_EQ(found({"a\nb"}, "\x1b[1m"), "no clip \"?[1m\"; nearest: \"a?b\"");
}

TEST(FindNames, JointsAreFoundTheSameWay) {
  Skeleton skeleton;
  skeleton.joint_names = {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1"};
  skeleton.parents = {kNoJoint, 0, 1};
  EXPECT_EQ(*find_joint_by_name(skeleton, "mixamorig:Spine"), 1u);
  EXPECT_EQ(*find_joint_by_name(skeleton, "MixamoRig:spine1"), 2u);
  EXPECT_EQ(must_fail(find_joint_by_name(skeleton, "mixamorig:spine2")).message,
            "no joint \"mixamorig:spine2\"; nearest: \"mixamorig:Spine\", \"mixamorig:Spine1\", \"mixamorig:Hips\"");
  EXPECT_FALSE(find_joint_by_name(skeleton, "1")) << "joints have no numbers";
}

TEST(ClipNames, AreSplitIntoWords) {
  const char* const rows[][2] = {{"Armature|Die", " armature die "},
                                 {"TPose", " t pose "},
                                 {"IdleToDie_01", " idle to die 01 "},
                                 {"Death2", " death 2 "},
                                 {"FPSWalk", " fps walk "},
                                 {"DEATH", " death "},
                                 {"--läuft..", " läuft "},
                                 {"", " "}};
  for (const auto& [name, words] : rows) EXPECT_EQ(words_of(name), words);
}

TEST(ClipNames, OfDeathsAndBindPosesAreExcludedWithoutThoseThatHaveTheWordInAnother) {
  for (const char* name : {"Armature|Die", "HumanArmature|Man_Death", "T-Pose", "TPose", "tpose", "t_pose", "T Pose",
                           "Death_A_Pose", "dead01", "IdleToDie", "Lie_Down", "BindPose", "mixamo.com|Bind"})
    EXPECT_TRUE(has_excluded_name(name)) << name;
  for (const char* name : {"soldier_walk", "SoldierIdle", "Deadlift", "audience", "believe", "binding", "Sit-pose",
                           "deathly", "Walk", "", "outpost"})
    EXPECT_FALSE(has_excluded_name(name)) << name;
}

}  // namespace
}  // namespace sinew::app
