#include "sinew/animation/root_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rig.h"
#include "sinew/animation/player.h"
#include "sinew/animation/pose.h"

namespace sinew {
namespace {

Quat about_y(double radians) { return {0, float(std::sin(radians / 2)), 0, float(std::cos(radians / 2))}; }

/// A root and hips. Within a second, "walk" moves the hips 2 units along z, and up and down. "circle" rotates them by
/// 90 degrees about y and moves them along an arc.
Character straight_walker() {
  Character character = test::random_rig({.joints = 2, .clips = 0, .branching = 0});
  character.skeleton.model_from_root = {};
  character.skeleton.rest_pose = {{}, {{0, 1, 0}, {}, {1, 1, 1}}};
  JointTracks walk, circle;
  walk.joint = circle.joint = 1;
  walk.translation = {{0, 0.5f, 1}, {{0, 1, 0}, {0, 1.2f, 1}, {0, 1, 2}}, Interpolation::kLinear};
  for (int i = 0; i <= 60; ++i) {
    const double angle = i / 60.0 * std::numbers::pi / 2;
    circle.translation.times_seconds.push_back(float(i) / 60);
    circle.translation.values.push_back({float(1 - std::cos(angle)), 1, float(std::sin(angle))});
    circle.rotation.times_seconds.push_back(float(i) / 60);
    circle.rotation.values.push_back(about_y(angle));
  }
  character.clips = {{"walk", 0, 1, {walk}}, {"circle", 0, 1, {circle}}};
  return character;
}

Matrix3x4d hips_at(const Character& character, const Clip& clip, double seconds) {
  std::vector<Transform> pose(2);
  sample_clip(clip, character.skeleton, float(seconds), pose);
  std::vector<Matrix3x4d> model_from_joint(2);
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  return model_from_joint[1];
}

TEST(RootMotion, IsTheTranslationOverTheGround) {
  const Character character = straight_walker();
  const Result<ExtractedMotion> motion = extract_root_motion(character, 0, 1);
  ASSERT_TRUE(motion);
  const GroundMotion half = motion_between(motion->track, 0.25, 0.75, Looping::kClamp);
  EXPECT_NEAR(half.translation.z, 1, 1e-5);
  EXPECT_NEAR(half.translation.y, 0, 1e-6);
  EXPECT_NEAR(half.heading_radians, 0, 1e-6);
  const Matrix3x4d hips = hips_at(character, motion->clip, 0.5);
  EXPECT_NEAR(hips.m[2][3], 0, 1e-5) << "the clip stays in place";
  EXPECT_NEAR(hips.m[1][3], 1.2, 1e-2) << "vertical motion stays in the clip";
}

TEST(RootMotion, WithTheExtractedClipRestoresTheOriginal) {
  Character character = straight_walker();
  character.space.up = {0, 0, 1};
  character.skeleton.model_from_root = to_matrix({{3, 4, 5}, {0.5f, 0.5f, 0.5f, 0.5f}, {2, 2, 2}});
  for (uint32_t clip : {0u, 1u}) {
    const Result<ExtractedMotion> motion = extract_root_motion(character, clip, 1);
    ASSERT_TRUE(motion);
    ASSERT_TRUE(validate(motion->clip, 2));
    for (const double time : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const GroundMotion until = motion_between(motion->track, 0, time, Looping::kClamp);
      const Matrix3x4d back = to_matrix(motion->track, until) * hips_at(character, motion->clip, time);
      const Matrix3x4d expected = hips_at(character, character.clips[clip], time);
      for (int i = 0; i < 12; ++i) EXPECT_NEAR(back.m[i / 4][i % 4], expected.m[i / 4][i % 4], 1e-3) << clip << time;
    }
  }
}

TEST(RootMotion, LeavesAClipInPlaceAwayFromTheOrigin) {
  Character character = straight_walker();
  character.skeleton.model_from_root = to_matrix({{3, 0, 5}, {}, {1, 1, 1}});
  const Result<ExtractedMotion> motion = extract_root_motion(character, 1, 1);
  ASSERT_TRUE(motion);
  for (const double time : {0.0, 0.3, 1.0}) {
    const Matrix3x4d hips = hips_at(character, motion->clip, time);
    EXPECT_NEAR(hips.m[0][3], 3, 1e-4);
    EXPECT_NEAR(hips.m[2][3], 5, 1e-4);
    EXPECT_NEAR(hips.m[0][0], 1, 1e-4) << "the heading is constant";
  }
}

TEST(RootMotion, CountsWholeTurns) {
  Character character = straight_walker();
  JointTracks spin;
  spin.joint = 1;
  for (int i = 0; i <= 10; ++i) {
    spin.rotation.times_seconds.push_back(float(i) / 10);
    spin.rotation.values.push_back(about_y(i / 10.0 * 3 * std::numbers::pi));
  }
  character.clips = {{"spin", 0, 1, {spin}}};
  const RootTrack track = extract_root_motion(character, 0, 1)->track;
  EXPECT_NEAR(motion_between(track, 0, 1, Looping::kClamp).heading_radians, 3 * std::numbers::pi, 1e-4);
}

TEST(RootMotion, FourQuarterTurnsReturnToTheStart) {
  const Character character = straight_walker();
  const RootTrack track = extract_root_motion(character, 1, 1)->track;
  const GroundMotion quarter = motion_between(track, 0, 1, Looping::kLoop);
  EXPECT_NEAR(quarter.heading_radians, std::numbers::pi / 2, 1e-4);
  EXPECT_NEAR(quarter.translation.x, 1, 1e-4);
  EXPECT_NEAR(quarter.translation.z, 1, 1e-4);
  for (const double loops : {4.0, -8.0, 400.0}) {
    const GroundMotion circle = motion_between(track, 0.3, 0.3 + loops, Looping::kLoop);
    EXPECT_LT(length(circle.translation), 1e-2) << loops;
    EXPECT_NEAR(circle.heading_radians, loops * std::numbers::pi / 2, 1e-2);
  }
}

TEST(RootMotion, ComposedStepsEqualTheWholeMotion) {
  const Character character = straight_walker();
  const RootTrack track = extract_root_motion(character, 1, 1)->track;
  for (const Looping looping : {Looping::kLoop, Looping::kClamp, Looping::kPingPong}) {
    for (const double speed : {0.17, -0.17}) {
      GroundMotion sum;
      for (int i = 0; i < 40; ++i) {
        sum = compose(track, sum, motion_between(track, i * speed, (i + 1) * speed, looping));
      }
      const GroundMotion whole = motion_between(track, 0, 40 * speed, looping);
      EXPECT_LT(length(sum.translation - whole.translation), 1e-4);
      EXPECT_NEAR(sum.heading_radians, whole.heading_radians, 1e-6);
    }
  }
}

TEST(RootMotion, IsFiniteForAnyTime) {
  const RootTrack track = extract_root_motion(straight_walker(), 0, 1)->track;
  for (const double time : {double(NAN), double(INFINITY), -double(INFINITY), 1e308}) {
    for (const Looping looping : {Looping::kLoop, Looping::kClamp, Looping::kPingPong}) {
      const GroundMotion motion = motion_between(track, 0, time, looping);
      EXPECT_TRUE(is_finite(motion.translation)) << time;
      EXPECT_TRUE(std::isfinite(motion.heading_radians)) << time;
    }
  }
  EXPECT_EQ(motion_between({}, 0, 1, Looping::kLoop).translation.x, 0);
}

std::vector<Matrix3x4d> joints_at(const Character& character, const Clip& clip, float seconds) {
  std::vector<Transform> pose(character.skeleton.joint_count());
  sample_clip(clip, character.skeleton, seconds, pose);
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  return model_from_joint;
}

/// Joints above it move it too, others do not.
TEST(RootMotion, OfAnyJointOfATreeRestoresTheOriginal) {
  const Character character = test::random_rig({.joints = 15, .clips = 1});
  const Clip& clip = character.clips[0];
  for (uint32_t joint = 0; joint < 15; ++joint) {
    const auto motion = extract_root_motion(character, 0, joint);
    ASSERT_TRUE(motion);
    for (const size_t key : {size_t(0), size_t(50), size_t(120)}) {  // 120 keys in the second of the clip
      const auto time = float(double(key) / 120);
      const Matrix3x4d moved =
          to_matrix(motion->track, motion->track.motions[key]) * joints_at(character, motion->clip, time)[joint];
      const Matrix3x4d wanted = joints_at(character, clip, time)[joint];
      for (int i = 0; i < 12; ++i) EXPECT_NEAR(moved.m[i / 4][i % 4], wanted.m[i / 4][i % 4], 1e-4) << joint;
    }
  }
}

/// 200 s of a joint below 1,000 others are 24 million poses of joints; beside them, they are not.
TEST(RootMotion, OfVeryManyPosesIsRefused) {
  Character character;
  Skeleton& skeleton = character.skeleton;
  for (int32_t j = 0; j < 1000; ++j) {
    skeleton.joint_names.push_back("joint"), skeleton.rest_pose.push_back({});
    skeleton.parents.push_back(j - 1);
  }
  character.clips = {{"long", 0, 200, {}}};
  const auto deep = extract_root_motion(character, 0, 999);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message, "root motion: clip 'long' is too long");
  EXPECT_TRUE(extract_root_motion(character, 0, 10));
}

TEST(RootMotion, OfMissingClipsOrJointsOrAdditiveClipsIsRefused) {
  Character character = straight_walker();
  EXPECT_FALSE(extract_root_motion(character, 2, 1));
  EXPECT_FALSE(extract_root_motion(character, 0, 2));
  character.clips[0].additive = true;
  EXPECT_FALSE(extract_root_motion(character, 0, 1));
}

TEST(Player, RootMotionFollowsTheClip) {
  Character character = straight_walker();
  Player player(character, 1);
  ASSERT_TRUE(player.set_root_track(0, extract_root_motion(character, 0, 1)->track));
  ASSERT_TRUE(player.set_root_track(1, extract_root_motion(character, 1, 1)->track));
  ASSERT_TRUE(player.play(0, 0, {.speed = 2}));
  EXPECT_EQ(player.root_motion(0).translation.z, 0);
  ASSERT_TRUE(player.advance(0.9));  // beyond the end of the clip, into the next loop
  EXPECT_NEAR(player.root_motion(0).translation.z, 3.6, 1e-4);
  ASSERT_TRUE(player.advance(-0.25));
  EXPECT_NEAR(player.root_motion(0).translation.z, -1, 1e-4);
  ASSERT_TRUE(player.play(0, 1, {.mask = 0}));
  ASSERT_TRUE(player.advance(1));
  EXPECT_NEAR(player.root_motion(0).heading_radians, std::numbers::pi / 2, 1e-4);
  ASSERT_TRUE(player.play(0, 0, {.start_seconds = 0.5}));
  EXPECT_EQ(length(player.root_motion(0).translation), 0) << "a clip that starts has not moved";
}

/// More loops than a double counts: no motion, and an answer in time.
TEST(RootMotion, OfLoopsWithoutNumberIsNone) {
  const RootTrack track{{0, 1, 0}, 0, 1e-30f, {{}, {{0, 0, 1}, 0.1}}};
  for (const auto& [from, to] : {std::pair(0.0, 1e300), {1e300, 0.0}, {-1e300, 1e300}}) {
    const GroundMotion motion = motion_between(track, from, to, Looping::kLoop);
    EXPECT_EQ(length(motion.translation), 0);
    EXPECT_EQ(motion.heading_radians, 0);
  }
  const RootTrack endless{{0, 1, 0}, -INFINITY, INFINITY, {{}, {{0, 0, 1}, 0.1}}};
  for (const Looping looping : {Looping::kLoop, Looping::kClamp, Looping::kPingPong})
    EXPECT_EQ(length(motion_between(endless, 0, 1, looping).translation), 0);
}

TEST(Player, RootMotionIsBlendedByLayerWeights) {
  Character character = straight_walker();
  Player player(character, 1);
  ASSERT_TRUE(player.set_root_track(0, extract_root_motion(character, 0, 1)->track));
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 1, 1));  // clip 1 has no root track: its motion is zero
  ASSERT_TRUE(player.advance(0.25));
  EXPECT_NEAR(player.root_motion(0).translation.z, 0.5 * 0.75, 1e-5);
}

/// A layer of weight 3 alone turns as far as one of weight 1.
TEST(Player, RootMotionIsTheMeanForWeightsOfAnySum) {
  Character character = straight_walker();
  Player player(character, 1);
  ASSERT_TRUE(player.set_root_track(0, extract_root_motion(character, 0, 1)->track));
  ASSERT_TRUE(player.set_root_track(1, extract_root_motion(character, 1, 1)->track));
  ASSERT_TRUE(player.play(0, 1, {.weight = 3}));
  ASSERT_TRUE(player.advance(1));
  EXPECT_NEAR(player.root_motion(0).heading_radians, std::numbers::pi / 2, 1e-4);
  EXPECT_NEAR(player.root_motion(0).translation.z, 1, 1e-4);
}

TEST(Player, AdditiveLayersHaveNoRootMotion) {
  Character character = straight_walker();
  character.clips.push_back({"added", 0, 1, {}, true});
  Player player(character, 1);
  ASSERT_TRUE(player.set_root_track(0, extract_root_motion(character, 0, 1)->track));
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.play(0, 2));
  ASSERT_TRUE(player.advance(0.5));
  EXPECT_NEAR(player.root_motion(0).translation.z, 1, 1e-5);
}

TEST(Player, RootMotionOfAWeekAddsUp) {
  Character character = straight_walker();
  Player player(character, 1);
  ASSERT_TRUE(player.set_root_track(0, extract_root_motion(character, 0, 1)->track));
  ASSERT_TRUE(player.play(0, 0));
  double distance = 0;
  for (int i = 0; i < 7 * 24 * 3600; ++i) {
    ASSERT_TRUE(player.advance(1.1));
    distance += double(player.root_motion(0).translation.z);
  }
  EXPECT_NEAR(distance, 7 * 24 * 3600 * 1.1 * 2, 0.5);
}

}  // namespace
}  // namespace sinew
