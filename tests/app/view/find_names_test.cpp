// Clips and joints are found by name in any case, and a wrong name lists the nearest ones.
#include "scene/names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "must.h"

namespace sinew::app {
namespace {

std::vector<Clip> clips_named(std::vector<std::string> names) {
  std::vector<Clip> clips;
  for (std::string& name : names) clips.emplace_back().name = std::move(name);
  return clips;
}

int found(const std::vector<Clip>& clips, const std::string& name) {
  const auto clip = find_clip_by_name(clips, name);
  return clip ? int(*clip) : -1;
}

std::string fault_of_name(const std::vector<Clip>& clips, const std::string& name) {
  const Error error = must_fail(find_clip_by_name(clips, name));
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  return error.message;
}

TEST(FindNames, ExactNamesComeFirst) {
  const auto clips = clips_named({"RUN", "run", "Run", "Run"});
  EXPECT_EQ(found(clips, "run"), 1);
  EXPECT_EQ(found(clips, "Run"), 2);
  EXPECT_EQ(found(clips, "rUN"), 0) << "the first of those that differ in case";
}

TEST(FindNames, NoNameIsFoundByAPartOfIt) {
  const auto clips = clips_named({"Running_A"});
  for (const char* part : {"Running", "Running_", "unning_A", "", "Running_AB"})
    EXPECT_EQ(found(clips, part), -1) << part;
}

TEST(FindNames, NumbersAreClipsUnlessTheyAreNames) {
  EXPECT_EQ(found(clips_named({"a", "b", "0"}), "1"), 1);
  EXPECT_EQ(found(clips_named({"a", "b", "0"}), "0"), 2);
  for (const char* number : {"3", "-1", "1.0", "0x1"})
    EXPECT_EQ(found(clips_named({"a", "b", "0"}), number), -1) << number;
}

TEST(FindNames, WrongNameListsTheThreeNearest) {
  const auto clips =
      clips_named({"Block", "WALKING_A", "Cheer", "Running_A", "Death_A_Pose", "Running_B", "Running_A"});
  EXPECT_EQ(fault_of_name(clips, "runing"), "no clip \"runing\"; nearest: \"Running_A\", \"Running_B\", \"WALKING_A\"");
  EXPECT_EQ(fault_of_name(clips_named({"Sit", "Jump", "Wave", "Walk"}), "walc"),
            "no clip \"walc\"; nearest: \"Walk\", \"Wave\", \"Sit\"");
}

TEST(FindNames, NearestNamesAreThereEvenIfThereAreFewOrNone) {
  EXPECT_EQ(fault_of_name(clips_named({"Idle", "Run"}), "idel"), "no clip \"idel\"; nearest: \"Idle\", \"Run\"");
  EXPECT_EQ(fault_of_name({}, "Run"), "no clip \"Run\"; it has none");
  EXPECT_EQ(fault_of_name(clips_named({"a\nb"}), "\x1b[1m"), "no clip \"?[1m\"; nearest: \"a?b\"");
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

}  // namespace
}  // namespace sinew::app
