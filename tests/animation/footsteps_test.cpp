// Footsteps: feet by name, and the moments at which they are set down.
#include "sinew/animation/footsteps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "out_of_memory.h"

namespace sinew {
namespace {

Skeleton named(std::vector<std::string> names) {
  Skeleton skeleton;
  for (size_t i = 0; i < names.size(); ++i) skeleton.parents.push_back(i == 0 ? kNoJoint : 0);
  skeleton.rest_pose.resize(names.size());
  skeleton.joint_names = std::move(names);
  return skeleton;
}

std::string feet_of(std::vector<std::string> names) {
  const Skeleton skeleton = named(std::move(names));
  const auto feet = find_feet(skeleton).value();
  return feet ? skeleton.joint_names[feet->left] + " " + skeleton.joint_names[feet->right] : "none";
}

TEST(FindFeet, ReadsTheWordsOfNames) {
  EXPECT_EQ(feet_of({"root", "toe_l", "foot_l", "toe_r", "foot_r"}), "foot_l foot_r");
  EXPECT_EQ(feet_of({"mixamorig:RightFoot", "mixamorig:LeftFoot", "mixamorig:LeftToeBase"}),
            "mixamorig:LeftFoot mixamorig:RightFoot");
  EXPECT_EQ(feet_of({"Bip01 L Foot", "Bip01 R Foot"}), "Bip01 L Foot Bip01 R Foot");
  EXPECT_EQ(feet_of({"foot.L", "foot.R"}), "foot.L foot.R");
  EXPECT_EQ(feet_of({"leftfoot", "rightfoot"}), "leftfoot rightfoot");
  EXPECT_EQ(feet_of({"IKLFoot", "LFoot", "RFoot"}), "LFoot RFoot");
  EXPECT_EQ(feet_of({"LEFT_FOOT", "RIGHT_FOOT"}), "LEFT_FOOT RIGHT_FOOT");
  EXPECT_EQ(feet_of({"foot_ik_l", "FootRoll_l", "foot_l", "foot_r"}), "foot_l foot_r") << "controls";
  EXPECT_EQ(feet_of({"ankle_l", "foot_l", "ankle_r"}), "foot_l ankle_r");
  EXPECT_EQ(feet_of({"foot_l", "hand_r"}), "none");
  EXPECT_EQ(feet_of({"football_l", "football_r", "Lfoot"}), "none");
  EXPECT_EQ(feet_of({}), "none");
}

/// A head 2 m up, and two feet that a clip of 2 s lifts by `lift` in a half sine: the left one from 0.5 to 1 s and the
/// right one from 1.5 to 2 s. Z is up; a unit is a centimeter.
Character walker(float lift, float start_seconds = 0) {
  Character character;
  character.name = "walker";
  character.space = {{0, 0, 1}, {0, -1, 0}, 0.01f};
  character.skeleton = named({"root", "head", "foot_l", "foot_r"});
  character.skeleton.rest_pose[1].translation = {0, 0, 200};
  Clip clip{"walk", start_seconds, start_seconds + 2, {}};
  for (const uint32_t joint : {2u, 3u}) {
    JointTracks tracks;
    tracks.joint = joint;
    for (int key = 0; key <= 120; ++key) {
      const float seconds = float(key) / 60, phase = (seconds - (joint == 2 ? 0.5f : 1.5f)) * 2;
      const float up = phase > 0 && phase < 1 ? std::sin(phase * std::numbers::pi_v<float>) : 0;
      tracks.translation.times_seconds.push_back(start_seconds + seconds);
      tracks.translation.values.push_back({seconds, float(joint), lift * up});
    }
    clip.tracks.push_back(std::move(tracks));
  }
  character.clips.push_back(std::move(clip));
  return character;
}

TEST(Footsteps, AreWhereFeetAreLowestAndStill) {
  for (const float start : {0.0f, 3.0f}) {
    const auto markers = find_footsteps(walker(20, start), 0).value();
    ASSERT_EQ(markers.size(), 2u);
    EXPECT_EQ(markers[0].name, "right foot down") << "at the end of the loop, which is its start";
    EXPECT_NEAR(markers[0].time_seconds, start, 0.02f);
    EXPECT_EQ(markers[1].name, "left foot down");
    EXPECT_NEAR(markers[1].time_seconds, start + 1, 0.02f);
    Clip clip = walker(20, start).clips[0];
    clip.markers = markers;
    EXPECT_TRUE(validate(clip, 4));
  }
}

TEST(Footsteps, OfGivenJointsHaveTheirNames) {
  Character character = walker(20);
  character.skeleton.joint_names = {"root", "head", "paw a", "paw b"};
  const uint32_t paws[] = {2, 3};
  const auto markers = find_footsteps(character, 0, paws).value();
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name, "paw b");
  EXPECT_EQ(markers[1].name, "paw a");
}

TEST(Footsteps, AreLiftedWhereTheyBeginToRise) {
  const auto markers = find_footsteps(walker(20, 3), 0, {}, StepMoments::kDownAndUp).value();
  ASSERT_EQ(markers.size(), 4u);
  const std::pair<const char*, float> expected[] = {
      {"right foot down", 3}, {"left foot up", 3.5f}, {"left foot down", 4}, {"right foot up", 4.5f}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(markers[i].name, expected[i].first);
    EXPECT_NEAR(markers[i].time_seconds, expected[i].second, 0.02f);
  }
}

/// The right foot of the walker has toes that stay down until 1.75 s; the left one has a toe of the right side's name.
TEST(Footsteps, AreLiftedWithTheLastToe) {
  Character character = walker(20);
  character.skeleton.parents = {kNoJoint, 0, 0, 0, 3};
  character.skeleton.joint_names.push_back("toe_r");
  character.skeleton.rest_pose.emplace_back();
  JointTracks toes;
  toes.joint = 4;
  const auto down = character.clips[0].tracks[1].translation;
  for (size_t key = 0; key < down.values.size(); ++key) {
    toes.translation.times_seconds.push_back(down.times_seconds[key]);
    toes.translation.values.push_back({0, 0, down.times_seconds[key] < 1.75f ? -down.values[key].z : 0});
  }
  character.clips[0].tracks.push_back(toes);
  const auto markers = find_footsteps(character, 0, {}, StepMoments::kDownAndUp).value();
  ASSERT_EQ(markers.size(), 4u);
  EXPECT_EQ(markers[3].name, "right foot up");
  EXPECT_NEAR(markers[3].time_seconds, 1.75f, 0.03f);
  EXPECT_EQ(markers[1].name, "left foot up");
  EXPECT_NEAR(markers[1].time_seconds, 0.5f, 0.02f);
}

TEST(Footsteps, OfGivenJointsAreLiftedWithTheirNames) {
  Character character = walker(20);
  character.skeleton.joint_names = {"root", "head", "paw a", "paw b"};
  const uint32_t paw = 2;
  const auto markers = find_footsteps(character, 0, {&paw, 1}, StepMoments::kDownAndUp).value();
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name, "paw a up");
  EXPECT_EQ(markers[1].name, "paw a");
}

TEST(Footsteps, FeetThatHardlyMoveHaveNone) {
  EXPECT_EQ(find_footsteps(walker(1.9f), 0).value().size(), 0u);
  EXPECT_EQ(find_footsteps(walker(2.1f), 0).value().size(), 2u);
}

/// A clip that ends in the air is no loop, and a foot that stands at its start was not set down in it.
TEST(Footsteps, OfAClipThatIsNoLoopAreThoseWithin) {
  Character character = walker(20);
  Clip& clip = character.clips[0];
  clip.end_seconds = 1.75f;
  const auto markers = find_footsteps(character, 0).value();
  ASSERT_EQ(markers.size(), 1u);
  EXPECT_EQ(markers[0].name, "left foot down");
}

TEST(Footsteps, BadInputGetsALine) {
  const auto message = [](const Character& character, uint32_t clip, std::vector<uint32_t> joints = {}) {
    const auto markers = find_footsteps(character, clip, joints);
    return markers ? "accepted" : markers.error().message;
  };
  Character character = walker(20);
  EXPECT_EQ(message(character, 1), "footsteps: there is no clip 1");
  EXPECT_EQ(message(character, 0, {4}), "footsteps: there is no joint 4, of 4");
  EXPECT_EQ(message(character, 0, {1, 1, 1, 1, 4}), "footsteps: 5 joints were given, and the character has 4");
  character.clips[0].additive = true;
  EXPECT_EQ(message(character, 0), "footsteps: clip 'walk' is additive");
  character = walker(20);
  character.skeleton.joint_names[2] = "hand_l";
  EXPECT_EQ(message(character, 0), "footsteps: no joint of 'walker' has the name of a foot");
  EXPECT_EQ(message(character, 0, {2}), "accepted");
  character.clips[0].tracks[0].translation.values[0].x = NAN;
  EXPECT_NE(message(character, 0, {2}).find("not finite"), std::string::npos);
  character = walker(20);
  character.clips[0].end_seconds = 1e9f;
  EXPECT_EQ(message(character, 0), "footsteps: clip 'walk' is too long");
  character.skeleton.joint_names.pop_back();
  EXPECT_NE(message(character, 0), "accepted");
  EXPECT_EQ(message({}, 0), "footsteps: there is no clip 0");
}

TEST(Footsteps, WithoutMemoryTheErrorIsReturned) {
  const Character character = walker(20);
  test::expect_out_of_memory([&] { return find_footsteps(character, 0, {}, StepMoments::kDownAndUp); });
  test::expect_out_of_memory([&] { return find_feet(character.skeleton); });
}

}  // namespace
}  // namespace sinew
