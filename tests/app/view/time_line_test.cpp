// Time lines: ranges, looping, speed, steps, and the keys of a clip.
#include "view/time_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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

TEST(TimeLine, LoopsInsideItsRange) {
  TimeLine line = make_line();
  set_range(line, 1.5f, 2);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.5f);
  advance(line, 0.3);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.8f);
  advance(line, 0.3);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.6f);
  advance(line, 100.2);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.8f);
  EXPECT_TRUE(line.playing);
}

TEST(TimeLine, PingPongReversesAtBothEnds) {
  TimeLine line = make_line(Looping::kPingPong);
  set_range(line, 1, 2);
  advance(line, 1.25);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.75f);
  advance(line, 0.5);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.25f);
  advance(line, 0.5);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.25f);
}

TEST(TimeLine, PlayedOnceStopsAtTheEndAndStartsAgain) {
  TimeLine line = make_line(Looping::kClamp);
  advance(line, 1.9);
  EXPECT_TRUE(line.playing);
  advance(line, 5);
  EXPECT_FALSE(line.playing);
  EXPECT_EQ(clip_seconds(line), 3);
  advance(line, 1);
  EXPECT_EQ(clip_seconds(line), 3);
  toggle_playing(line);
  EXPECT_TRUE(line.playing);
  EXPECT_EQ(clip_seconds(line), 1);
  advance(line, 0.5);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.5f);
}

TEST(TimeLine, PlayedOnceBackwardStopsAtTheStartAndStartsAgainFromTheEnd) {
  TimeLine line = make_line(Looping::kClamp);
  line.speed = -1;
  EXPECT_TRUE(is_at_end(line));
  toggle_playing(line);
  EXPECT_EQ(clip_seconds(line), 3);
  advance(line, 0.5);
  EXPECT_FLOAT_EQ(clip_seconds(line), 2.5f);
  advance(line, 10);
  EXPECT_FALSE(line.playing);
  EXPECT_EQ(clip_seconds(line), 1);
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

TEST(TimeLine, NegativeSpeedLoopsThroughTheStart) {
  TimeLine line = make_line();
  line.speed = -0.5f;
  advance(line, 1);
  EXPECT_FLOAT_EQ(clip_seconds(line), 2.5f);
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

TEST(TimeLine, StaysExactOverALongTime) {
  TimeLine line = make_line();
  for (int i = 0; i < 100; ++i) advance(line, 2e9);
  advance(line, 0.5);
  EXPECT_FLOAT_EQ(clip_seconds(line), 1.5f);
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

}  // namespace
}  // namespace sinew::app
