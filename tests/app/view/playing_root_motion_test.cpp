// Root motion that is removed or applied: loops, ranges, seeks and cross-fades.
#include "view/playing_fixture.h"

namespace sinew::app {
namespace {

class RootMotionTest : public PlayingTest {
 protected:
  /// The hips, moved by root motion.
  Matrix3x4d moved_hips() {
    return playing.model_from_moved() * model_from_joint(character, playing.playback(masks), kHips);
  }

  Matrix3x4d hips_of_clip(float seconds) { return model_from_joint(character, kWalk, seconds, kHips); }

  /// The motion of the hips in the clip, which has no part in height between these times.
  Matrix3x4d loop(float from, float to) { return hips_of_clip(to) * inverse(hips_of_clip(from)); }

  void set_root_motion(RootMotion mode) {
    const Status set = playing.set_root_motion(mode);
    ASSERT_TRUE(set) << set.error().message;
  }
};

TEST_F(RootMotionTest, RemovedRootMotionStaysInPlace) {
  set_root_motion(RootMotion::kRemoved);
  const Matrix3x4d first = moved_hips();
  playing.advance(0.75);
  const Matrix3x4d later = moved_hips();
  EXPECT_NEAR(later.m[0][3], first.m[0][3], 1e-4);
  EXPECT_NEAR(later.m[2][3], first.m[2][3], 1e-4);
  EXPECT_LT(difference(playing.model_from_moved(), Matrix3x4d()), 1e-12);
  EXPECT_EQ(playing.clip(), kWalk);
  set_root_motion(RootMotion::kKept);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.75f)), 1e-5);
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnWhereTheClipEnds) {
  set_root_motion(RootMotion::kApplied);
  for (int i = 0; i < 250; ++i) playing.advance(0.01);
  const Matrix3x4d expected = loop(1, 2) * loop(1, 2) * hips_of_clip(1.5f);
  EXPECT_LT(difference(moved_hips(), expected), 2e-3);
  EXPECT_GT(expected.m[0][3] * expected.m[0][3] + expected.m[2][3] * expected.m[2][3], 9);
}

TEST_F(RootMotionTest, AppliedRootMotionFollowsTheRange) {
  set_range(playing.time_line(), 1.2f, 1.6f);
  set_root_motion(RootMotion::kApplied);
  for (int i = 0; i < 100; ++i) playing.advance(0.01);
  // Relative to the start of the range, where the clip in place has not moved yet.
  Matrix3x4d expected =
      hips_of_clip(1) * inverse(hips_of_clip(1.2f)) * loop(1.2f, 1.6f) * loop(1.2f, 1.6f) * hips_of_clip(1.4f);
  expected.m[1][3] = hips_of_clip(1.4f).m[1][3];
  EXPECT_LT(difference(moved_hips(), expected), 2e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionRunsBackward) {
  set_root_motion(RootMotion::kApplied);
  playing.time_line().speed = -1;
  for (int i = 0; i < 150; ++i) playing.advance(0.01);
  EXPECT_LT(difference(moved_hips(), inverse(loop(1, 2)) * inverse(loop(1, 2)) * hips_of_clip(1.5f)), 2e-3);
}

TEST_F(RootMotionTest, SeekSetsTheMotionFromTheStartOfTheRange) {
  set_root_motion(RootMotion::kApplied);
  playing.advance(3.3);
  seek(playing.time_line(), 1.6f);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.6f)), 1e-3);
  playing.advance(0.2);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.8f)), 1e-3);
  seek(playing.time_line(), 1.1f);
  playing.advance(0.1);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.2f)), 1e-3);
  step(playing.time_line(), 3);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.3f)), 1e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnThroughACrossFade) {
  set_root_motion(RootMotion::kApplied);
  ASSERT_TRUE(playing.choose(kSlide, 0));
  playing.advance(0.5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.5, 1e-3);
  ASSERT_TRUE(playing.choose(kIdle, 1));
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.5, 1e-3) << "a new clip does not move the character back";
  for (int i = 0; i < 1000; ++i) playing.advance(0.001);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 1, 5e-3) << "its share falls from 1 to 0 in 1 s at 1 m/s";
  playing.advance(5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 1, 5e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionIsFullWhereACrossFadeHasEndedEarly) {
  set_root_motion(RootMotion::kApplied);
  ASSERT_TRUE(playing.choose(kSlide, 1));
  playing.advance(0.1);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  const double before = playing.model_from_moved().m[0][3];
  playing.advance(0.5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3] - before, 0.5, 1e-3);
}

}  // namespace
}  // namespace sinew::app
