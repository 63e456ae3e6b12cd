#include "sinew/animation/root_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "rig.h"
#include "sinew/animation/player.h"

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

/// What the track and the clip that stays have together is what the clip had, in any space, for any joint of a tree:
/// joints above it move it too, others do not. What stays has no way over the ground, and no heading.
TEST(RootMotion, WithTheExtractedClipRestoresTheOriginal) {
  std::mt19937 random(3);
  const auto part = [&] { return std::uniform_real_distribution<float>(-1, 1)(random); };
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Character character = test::random_rig({.joints = 1 + seed % 9, .clips = 1, .seed = seed});
    if (seed % 2 == 0) character.space.up = normalize(Vec3{part(), part(), part()});
    character.skeleton.model_from_root =
        to_matrix({{3 * part(), part(), part()}, normalize(Quat{part(), part(), part(), 1}), {2, 2, 2}});
    const Vec3 up = character.space.up;
    const uint32_t joint = uint32_t(random() % character.skeleton.joint_count());
    const auto motion = extract_root_motion(character, 0, joint);
    ASSERT_TRUE(motion) << motion.error().message;
    ASSERT_TRUE(validate(motion->clip, character.skeleton.joint_count()));
    const Vec3 start = transform_point(test::joints_at(character, character.clips[0], 0)[joint], {});
    for (const int key : {0, 17, 50, 96, 120}) {  // 120 keys in the second of the clip
      const auto time = float(double(key) / 120);
      const GroundMotion until = motion_between(motion->track, 0, double(time), Looping::kClamp);
      EXPECT_NEAR(dot(until.translation, up), 0, 1e-5f) << "vertical motion stays in the clip";
      const Matrix3x4d stays = test::joints_at(character, motion->clip, time)[joint];
      const Vec3 way = transform_point(stays, {}) - start;
      EXPECT_LT(length(way - up * dot(way, up)), 1e-3f) << "seed " << seed << ": it goes over the ground";
      const Matrix3x4d moved = to_matrix(motion->track, until) * stays;
      const Matrix3x4d wanted = test::joints_at(character, character.clips[0], time)[joint];
      EXPECT_LE(test::largest_difference(moved, wanted), 1e-3) << "seed " << seed << " at " << time;
    }
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
