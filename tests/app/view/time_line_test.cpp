// Time lines: root motion over their loops, and the keys of a clip. What else they do is in playing_test.cpp.
#include "viewer/time_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "view/moving_character.h"

namespace sinew::app {
namespace {

using sinew::test::largest_difference;
using ::testing::ElementsAre;

JointTracks tracks_of(uint32_t joint, std::vector<float> translation, std::vector<float> scale) {
  JointTracks tracks;
  tracks.joint = joint;
  tracks.translation.times_seconds = std::move(translation);
  tracks.scale.times_seconds = std::move(scale);
  return tracks;
}

TEST(KeyTimes, AreThoseOfAllTracksInTheClipEachOnce) {
  const Clip clip{"clip", 1, 4, {tracks_of(0, {1, 2, 2, 4}, {0, 1.5f}), tracks_of(3, {2, 3, 5}, {})}};
  EXPECT_THAT(key_times(clip, 100), ElementsAre(1, 1.5f, 2, 3, 4));
  EXPECT_THAT(key_times(clip, 5), ElementsAre(1, 1.5f, 2, 3, 4));
  EXPECT_TRUE(key_times({}, 5).empty());
}

TEST(KeyTimes, AreThinnedEvenlyWithBothEnds) {
  std::vector<float> times;
  for (int i = 0; i <= 1000; ++i) times.push_back(float(i));
  const Clip clip{"clip", 0, 1000, {tracks_of(0, times, {})}};
  EXPECT_THAT(key_times(clip, 5), ElementsAre(0, 250, 500, 750, 1000));
  EXPECT_THAT(key_times(clip, 1), ElementsAre(0));
  EXPECT_TRUE(key_times(clip, 0).empty());
}

class GroundMotions : public ::testing::Test {
 protected:
  GroundMotions() : track(extract_root_motion(character, 0, 1)->track) { fit_to(line, character.clips[0]); }

  /// The hips in the clip, without their height.
  Matrix3x4d hips(float seconds) const {
    Matrix3x4d hips = model_from_joint(character, 0, seconds, 1);
    hips.m[1][3] = 0;
    return hips;
  }

  Matrix3x4d motion(double from, double to) const { return to_matrix(track, ground_motion(track, line, from, to)); }

  /// The motion between two times of the clip, as its start sees it.
  Matrix3x4d of_clip(float from, float to) const { return hips(1) * inverse(hips(from)) * hips(to) * inverse(hips(1)); }

  Character character = make_moving_character();
  RootTrack track;
  TimeLine line;
};

TEST_F(GroundMotions, RepeatThatOfTheRange) {
  set_range(line, 1.25f, 1.75f);
  const Matrix3x4d loop = of_clip(1.25f, 1.75f), end = of_clip(1.65f, 1.75f), start = of_clip(1.25f, 1.35f);
  const std::tuple<double, double, Matrix3x4d> kRows[] = {{0.1, 0.4, of_clip(1.35f, 1.65f)},
                                                          {0.4, 0.1, of_clip(1.65f, 1.35f)},
                                                          {0, 0, Matrix3x4d()},
                                                          {0.4, 0.6, end * start},
                                                          {0.4, 1.6, end * loop * loop * start},
                                                          {0, 3.5, loop * loop * loop * loop * loop * loop * loop}};
  for (const auto& [from, to, expected] : kRows)
    EXPECT_LT(largest_difference(motion(from, to), expected), 1e-3) << from << " to " << to;
}

TEST_F(GroundMotions, AreTheSameInPartsAndBackward) {
  set_range(line, 1.1f, 1.9f);
  std::mt19937 random{3};
  std::uniform_real_distribution<double> times(-3, 6);
  for (int i = 0; i < 100; ++i) {
    const double from = times(random), over = times(random), to = times(random);
    EXPECT_LT(largest_difference(motion(from, over) * motion(over, to), motion(from, to)), 1e-3)
        << from << " over " << over << " to " << to;
    EXPECT_LT(largest_difference(motion(to, from) * motion(from, to), Matrix3x4d()), 1e-4) << from << " to " << to;
  }
}

TEST_F(GroundMotions, WithoutLoopingStayInTheRange) {
  line.looping = Looping::kClamp;
  set_range(line, 1.25f, 1.75f);
  EXPECT_LT(largest_difference(motion(0.25, 9), of_clip(1.5f, 1.75f)), 1e-3);
  line.looping = Looping::kPingPong;
  EXPECT_LT(largest_difference(motion(0, 1), Matrix3x4d()), 1e-6) << "there and back";
  EXPECT_LT(largest_difference(motion(0, 0.75), of_clip(1.25f, 1.5f)), 1e-3);
}

TEST_F(GroundMotions, OfThousandsOfLoopsComeAtOnce) {
  set_range(line, 1.25f, 1.75f);
  const GroundMotion motion = ground_motion(track, line, 0, 1e12);
  EXPECT_TRUE(std::isfinite(motion.heading_radians));
}

}  // namespace
}  // namespace sinew::app
