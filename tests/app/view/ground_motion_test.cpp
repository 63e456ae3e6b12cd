// The root motion of a time line: its range repeated, also backward.
#include <gtest/gtest.h>

#include <cmath>

#include "view/moving_character.h"
#include "view/time_line.h"

namespace sinew::app {
namespace {

constexpr uint32_t kHips = 1;

class GroundMotions : public ::testing::Test {
 protected:
  GroundMotions() : track(extract_root_motion(character, 0, kHips)->track) { fit_to(line, character.clips[0]); }

  /// The hips in the clip, without their height.
  Matrix3x4d hips(float seconds) const {
    Matrix3x4d hips = model_from_joint(character, 0, seconds, kHips);
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

TEST_F(GroundMotions, InsideALoopAreThoseOfTheClip) {
  set_range(line, 1.25f, 1.75f);
  EXPECT_LT(difference(motion(0.1, 0.4), of_clip(1.35f, 1.65f)), 1e-3);
  EXPECT_LT(difference(motion(0.4, 0.1), of_clip(1.65f, 1.35f)), 1e-3);
  EXPECT_LT(difference(motion(0, 0), Matrix3x4d()), 1e-9);
}

TEST_F(GroundMotions, RepeatTheRangeForward) {
  set_range(line, 1.25f, 1.75f);
  const Matrix3x4d loop = of_clip(1.25f, 1.75f);
  EXPECT_LT(difference(motion(0.4, 0.6), of_clip(1.65f, 1.75f) * of_clip(1.25f, 1.35f)), 1e-3);
  EXPECT_LT(difference(motion(0.4, 1.6), of_clip(1.65f, 1.75f) * loop * loop * of_clip(1.25f, 1.35f)), 1e-3);
  EXPECT_LT(difference(motion(0, 3.5), loop * loop * loop * loop * loop * loop * loop), 1e-3);
}

TEST_F(GroundMotions, BackwardAreTheInverse) {
  set_range(line, 1.25f, 1.75f);
  for (const auto& [from, to] : {std::pair(0.1, 0.3), {0.1, 0.7}, {0.2, 5.3}, {-2.2, 3.1}}) {
    EXPECT_LT(difference(motion(to, from) * motion(from, to), Matrix3x4d()), 1e-4) << from << " to " << to;
  }
}

TEST_F(GroundMotions, AreTheSameInPartsAsAtOnce) {
  set_range(line, 1.1f, 1.9f);
  Matrix3x4d parts;
  for (int i = 0; i < 100; ++i) parts = parts * motion(0.05 * i, 0.05 * (i + 1));
  EXPECT_LT(difference(parts, motion(0, 5)), 1e-3);
}

TEST_F(GroundMotions, WithoutLoopingStayInTheRange) {
  line.looping = Looping::kClamp;
  set_range(line, 1.25f, 1.75f);
  EXPECT_LT(difference(motion(0.25, 9), of_clip(1.5f, 1.75f)), 1e-3);
  line.looping = Looping::kPingPong;
  EXPECT_LT(difference(motion(0, 1), Matrix3x4d()), 1e-6) << "there and back";
  EXPECT_LT(difference(motion(0, 0.75), of_clip(1.25f, 1.5f)), 1e-3);
}

TEST_F(GroundMotions, OfThousandsOfLoopsComeAtOnce) {
  set_range(line, 1.25f, 1.75f);
  const GroundMotion motion = ground_motion(track, line, 0, 1e12);
  EXPECT_TRUE(std::isfinite(motion.heading_radians));
}

}  // namespace
}  // namespace sinew::app
