// The clip's own time of very long playback; Player.PlaysAsASlowWalkThroughTime has the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/animation/pose.h"

namespace sinew {
namespace {

/// The clip's own time begins at 1 s and ends at 3 s.
const Clip kClip{"walk", 1, 3, {}};

TEST(ClipTime, WrapsExactly) {
  std::mt19937 random(5);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 200000; ++i) {
    const float duration = float(std::exp(between(-9, 6)));
    const Clip clip{"any", 0, duration, {}};
    // Near a multiple of the duration, or anywhere; some of them very far away.
    const double rounds = std::floor(std::exp(between(0, 24)));
    double seconds = i % 2 == 0 ? rounds * double(duration) : between(-1, 1) * rounds;
    if (i % 4 == 0) seconds = std::nextafter(seconds, 0.0);
    double expected = std::fmod(seconds, double(duration));
    if (expected < 0) expected += double(duration);
    ASSERT_EQ(clip_time(clip, seconds, Looping::kLoop), std::min(float(expected), duration)) << seconds;
  }
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
