#include <gtest/gtest.h>

#include <cmath>

#include "sinew/animation/pose.h"

namespace sinew {
namespace {

/// The clip's own time begins at 1 s and ends at 3 s.
const Clip kClip{"walk", 1, 3, {}};

TEST(ClipTime, ClampStopsAtTheEnds) {
  EXPECT_EQ(clip_time(kClip, -5, Looping::kClamp), 1);
  EXPECT_EQ(clip_time(kClip, 0.5, Looping::kClamp), 1.5f);
  EXPECT_EQ(clip_time(kClip, 9, Looping::kClamp), 3);
}

TEST(ClipTime, LoopWrapsForwardAndBackward) {
  EXPECT_EQ(clip_time(kClip, 0.5, Looping::kLoop), 1.5f);
  EXPECT_EQ(clip_time(kClip, 2.5, Looping::kLoop), 1.5f);
  EXPECT_EQ(clip_time(kClip, -0.5, Looping::kLoop), 2.5f);
  EXPECT_EQ(clip_time(kClip, -4.5, Looping::kLoop), 2.5f);
}

TEST(ClipTime, PingPongReversesAtTheEnds) {
  EXPECT_EQ(clip_time(kClip, 1.5, Looping::kPingPong), 2.5f);
  EXPECT_EQ(clip_time(kClip, 2.5, Looping::kPingPong), 2.5f);
  EXPECT_EQ(clip_time(kClip, 4.5, Looping::kPingPong), 1.5f);
  EXPECT_EQ(clip_time(kClip, -0.5, Looping::kPingPong), 1.5f);
}

TEST(ClipTime, StaysExactAfterDaysOfPlayback) {
  const double a_week = 7 * 24 * 3600;  // a multiple of the clip's 2 s
  EXPECT_NEAR(clip_time(kClip, a_week + 0.25, Looping::kLoop), 1.25, 1e-6);
}

TEST(ClipTime, ClipWithoutDurationAndInvalidTimesGiveTheStart) {
  EXPECT_EQ(clip_time({"still", 2, 2, {}}, 5, Looping::kLoop), 2);
  for (const Looping looping : {Looping::kClamp, Looping::kLoop, Looping::kPingPong}) {
    EXPECT_EQ(clip_time(kClip, NAN, looping), 1);
    EXPECT_EQ(clip_time(kClip, INFINITY, looping), 1);
  }
}

}  // namespace
}  // namespace sinew
