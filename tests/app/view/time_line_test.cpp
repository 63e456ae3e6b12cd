// Time lines: ranges, looping, speed, steps, root motion, and the keys of a clip.
#include "viewer/time_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "view/moving_character.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre;

/// A line of a clip from 1 s to 3 s.
TimeLine make_line(Looping looping = Looping::kLoop) {
  TimeLine line;
  line.looping = looping;
  fit_to(line, {"clip", 1, 3, {}});
  return line;
}

TEST(TimeLine, AdvancesInItsRange) {
  const struct {
    const char* what;
    Looping looping;
    float start, end, speed;
    std::vector<std::pair<double, float>> moves;  // by how much, and the time of the clip then
  } kRows[] = {
      {"loops", Looping::kLoop, 1.5f, 2, 1, {{0, 1.5f}, {0.3, 1.8f}, {0.3, 1.6f}, {100.2, 1.8f}}},
      {"backward", Looping::kLoop, 1, 3, -0.5f, {{1, 2.5f}}},
      {"reverses at both ends", Looping::kPingPong, 1, 2, 1, {{1.25, 1.75f}, {0.5, 1.25f}, {0.5, 1.25f}}},
      {"once", Looping::kClamp, 1, 3, 1, {{1.9, 2.9f}, {5, 3}, {1, 3}}},
      {"stays exact", Looping::kLoop, 1, 3, 1, {{2e18, 1}, {0.5, 1.5f}}},
  };
  for (const auto& row : kRows) {
    TimeLine line = make_line(row.looping);
    set_range(line, row.start, row.end);
    line.speed = row.speed;
    for (const auto& [seconds, expected] : row.moves) {
      advance(line, seconds);
      EXPECT_FLOAT_EQ(clip_seconds(line), expected) << row.what;
    }
  }
}

TEST(TimeLine, PlayedOnceStopsAtItsEndAndStartsAgain) {
  for (const auto& [speed, first, last] : {std::tuple(1.0f, 1.0f, 3.0f), {-1.0f, 3.0f, 1.0f}}) {
    TimeLine line = make_line(Looping::kClamp);
    line.speed = speed;
    restart(line);
    EXPECT_EQ(clip_seconds(line), first);
    EXPECT_FALSE(is_at_end(line));
    advance(line, 1.9);
    EXPECT_TRUE(line.playing);
    advance(line, 5);
    EXPECT_FALSE(line.playing);
    EXPECT_EQ(clip_seconds(line), last);
    toggle_playing(line);
    EXPECT_TRUE(line.playing);
    EXPECT_EQ(clip_seconds(line), first);
    advance(line, 0.5);
    EXPECT_FLOAT_EQ(clip_seconds(line), first + 0.5f * speed);
  }
}

TEST(TimeLine, PausedInTheMiddlePlaysOnFromThere) {
  TimeLine line = make_line(Looping::kClamp);
  seek(line, 2);
  line.playing = false;
  advance(line, 0.5);
  EXPECT_EQ(clip_seconds(line), 2);
  toggle_playing(line);
  EXPECT_EQ(clip_seconds(line), 2);
}

TEST(TimeLine, SeekStaysInTheRangeAndShowsItsEnd) {
  for (const Looping looping : {Looping::kLoop, Looping::kClamp, Looping::kPingPong}) {
    TimeLine line = make_line(looping);
    set_range(line, 1.5f, 2.7f);
    seek(line, 0.2f);
    EXPECT_EQ(clip_seconds(line), 1.5f);
    seek(line, 2.7f);
    EXPECT_EQ(clip_seconds(line), 2.7f);
    seek(line, 99);
    EXPECT_EQ(clip_seconds(line), 2.7f);
    seek(line, 2);
    EXPECT_FLOAT_EQ(clip_seconds(line), 2);
  }
}

TEST(TimeLine, StepsPauseAndLoop) {
  TimeLine line = make_line();
  line.speed = 0.25f;
  step(line, 2);
  EXPECT_FALSE(line.playing);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1 + 2.0f / 30);
  step(line, -5);
  EXPECT_NEAR(clip_seconds(line), 3 - 3.0 / 30, 1e-6);
  step(line, 6);
  EXPECT_NEAR(clip_seconds(line), 1 + 3.0 / 30, 1e-6);
}

TEST(TimeLine, StepsStopAtTheEndsWhereTheLineDoesNotLoop) {
  for (const Looping looping : {Looping::kClamp, Looping::kPingPong}) {
    TimeLine line = make_line(looping);
    step(line, -1);
    EXPECT_EQ(clip_seconds(line), 1);
    step(line, 59);
    EXPECT_NEAR(clip_seconds(line), 3 - 1.0 / 30, 1e-6);
    step(line, 2);
    EXPECT_EQ(clip_seconds(line), 3);
  }
}

TEST(TimeLine, RangeIsLimitedToTheClipAndNeverEmpty) {
  TimeLine line = make_line();
  const auto range_of = [&](float start, float end) {
    set_range(line, start, end);
    return std::pair(line.start_seconds, line.end_seconds);
  };
  EXPECT_EQ(range_of(0, 9), std::pair(1.0f, 3.0f));
  EXPECT_EQ(range_of(1.5f, 2), std::pair(1.5f, 2.0f));
  for (const auto& [start, end] : {std::pair(2.0f, 2.0f), {2.0f, 1.2f}, {3.0f, 3.0f}, {7.0f, 8.0f}, {-5.0f, 0.0f}}) {
    range_of(start, end);
    EXPECT_GE(line.start_seconds, 1);
    EXPECT_LE(line.end_seconds, 3);
    EXPECT_NEAR(line.end_seconds - line.start_seconds, 1.0 / 30, 1e-6) << start << " to " << end;
  }
  EXPECT_EQ(range_of(2, 1.2f).first, 2.0f);
}

TEST(TimeLine, RangeAndLoopingKeepTheTimeOfTheClip) {
  TimeLine line = make_line();
  advance(line, 2 * 7 + 1.25);
  set_range(line, 2, 3);
  EXPECT_FLOAT_EQ(clip_seconds(line), 2.25f);
  set_range(line, 1.2f, 2.5f);
  EXPECT_FLOAT_EQ(clip_seconds(line), 2.25f);
  for (const Looping looping : {Looping::kClamp, Looping::kPingPong, Looping::kLoop}) {
    line.seconds += line.looping == Looping::kLoop ? 1.3 * 5 : 0;
    set_looping(line, looping);
    EXPECT_FLOAT_EQ(clip_seconds(line), 2.25f);
  }
  set_range(line, 1, 2);
  EXPECT_FLOAT_EQ(clip_seconds(line), 2);
}

TEST(TimeLine, FitsToAnotherClip) {
  TimeLine line = make_line();
  set_range(line, 1.5f, 2);
  line.speed = 0.5f, line.playing = false;
  fit_to(line, {"other", 0, 10, {}});
  EXPECT_EQ(clip_seconds(line), 0);
  EXPECT_EQ(line.end_seconds, 10);
  set_range(line, 4, 5);
  EXPECT_EQ(line.start_seconds, 4) << "the limits are those of the new clip";
  EXPECT_EQ(line.speed, 0.5f);
  EXPECT_FALSE(line.playing);
}

TEST(TimeLine, ClipWithoutDurationStaysAtItsStart) {
  for (const Looping looping : {Looping::kLoop, Looping::kClamp, Looping::kPingPong}) {
    TimeLine line = make_line(looping);
    fit_to(line, {"pose", 2, 2, {}});
    advance(line, 1);
    step(line, 3);
    seek(line, 5);
    set_range(line, 0, 9);
    EXPECT_EQ(clip_seconds(line), 2);
    EXPECT_TRUE(std::isfinite(line.seconds));
  }
}

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

TEST(TimeLine, FollowsThePhaseOfAnother) {
  TimeLine line = make_line();
  for (const auto& [wanted, seconds] : {std::pair(0.25, 1.5f), {1.25, 1.5f}, {-0.25, 2.5f}, {0.0, 1.0f}}) {
    follow_phase(line, wanted);
    EXPECT_FLOAT_EQ(clip_seconds(line), seconds) << wanted;
    EXPECT_NEAR(phase(line), wanted, 1e-12);
  }
  follow_phase(line, std::nextafter(1.0, 0.0));
  EXPECT_FLOAT_EQ(clip_seconds(line), 3) << "the end of a loop, not the start of the next one";
  line.looping = Looping::kClamp;
  follow_phase(line, 1);
  EXPECT_FLOAT_EQ(clip_seconds(line), 3);
  EXPECT_EQ(phase(TimeLine()), 0) << "no duration";
}

}  // namespace
}  // namespace sinew::app
