// Times of the last frames: what is kept, in which order, and what percentiles are of.
#include "crowd/report/stage_times.h"

#include <gtest/gtest.h>

namespace sinew::app {
namespace {

RecentTimes pushed(int count) {
  RecentTimes times;
  for (int i = 0; i < count; ++i) times.push(i);
  return times;
}

TEST(RecentTimes, KeepTheLastFramesInOrder) {
  EXPECT_EQ(RecentTimes().size(), 0u);
  const RecentTimes few = pushed(3);
  ASSERT_EQ(few.size(), 3u);
  EXPECT_EQ(few[0], 0.0);
  EXPECT_EQ(few[2], 2.0);
  const RecentTimes many = pushed(int(kHistoryFrames) + 7);
  ASSERT_EQ(many.size(), kHistoryFrames);
  EXPECT_EQ(many[0], 7.0);
  EXPECT_EQ(many[kHistoryFrames - 1], double(kHistoryFrames + 6));
}

TEST(RecentTimes, PercentilesAreOfAllThatIsKept) {
  EXPECT_FALSE(RecentTimes().percentile(0.5));
  EXPECT_EQ(pushed(5).percentile(0.5), 2.0);
  EXPECT_EQ(pushed(100).percentile(0.95), 94.0);
  EXPECT_EQ(pushed(2 * int(kHistoryFrames)).percentile(1), 2.0 * kHistoryFrames - 1);
  EXPECT_EQ(pushed(2 * int(kHistoryFrames)).percentile(0), double(kHistoryFrames));
}

TEST(RecentTimes, ASampleBeginsAnew) {
  RecentTimes times = pushed(300);
  times.begin_sample();
  EXPECT_FALSE(times.percentile(0.5));
  EXPECT_EQ(times.size(), kHistoryFrames) << "the graph keeps earlier frames";
  times.push(1), times.push(3), times.push(2);
  EXPECT_EQ(times.percentile(0.5), 2.0);
  EXPECT_EQ(times.percentile(1), 3.0);
  for (size_t i = 0; i < 2 * kHistoryFrames; ++i) times.push(9);
  EXPECT_EQ(times.percentile(0), 9.0);
}

TEST(RecentTimes, WhatWasNotMeasuredDoesNotCount) {
  RecentTimes times;
  times.push({}), times.push(4), times.push({});
  EXPECT_EQ(times.size(), 3u);
  EXPECT_FALSE(times[0]);
  EXPECT_EQ(times[1], 4.0);
  EXPECT_EQ(times.percentile(0), 4.0);
}

constexpr DeviceClock kClockMicroseconds{64, 1000};
constexpr QueueClocks kQueueClocks{kClockMicroseconds, kClockMicroseconds};

/// The device uploads for 1 ms, skins for 2 ms and draws for 5 ms.
FrameTimes measured_frame() {
  FrameTimes frame;
  frame.number = 1;
  frame.span(CpuStage::kCull) = {1, 1.25}, frame.span(CpuStage::kSample) = {2, 2.5};
  frame.span(CpuStage::kPrepareSkinning) = {3, 3.25}, frame.span(CpuStage::kPrepareDraws) = {4, 4.25};
  frame.span(CpuStage::kRecord) = {5, 5.25};
  frame.submitted_ms = 0, frame.completed_ms = 12;
  frame.skin_ticks = {10'000, 11'000, 13'000};
  frame.draw_ticks = {13'000, 18'000};
  return frame;
}

TEST(TimeHistory, HasTheStagesOfAFrame) {
  TimeHistory history;
  history.add_stages(measured_frame(), kQueueClocks);
  EXPECT_EQ(history[Stage::kCull][0], 0.25);
  EXPECT_EQ(history[Stage::kSample][0], 0.5);
  EXPECT_EQ(history[Stage::kRecord][0], 0.75);
  EXPECT_FALSE(history[Stage::kCpuSkin][0]);
  EXPECT_EQ(history[Stage::kUpload][0], 1.0);
  EXPECT_EQ(history[Stage::kSkin][0], 2.0);
  EXPECT_EQ(history[Stage::kDraw][0], 5.0);
}

TEST(TimeHistory, LeavesOutTimestampsThatAreNotCredible) {
  TimeHistory history;
  FrameTimes frame = measured_frame();
  frame.completed_ms = 3;  // less than the 5 ms that drawing is said to take
  frame.span(CpuStage::kSkin) = {6, 8};
  history.add_stages(frame, kQueueClocks);
  EXPECT_EQ(history[Stage::kCpuSkin][0], 2.0);
  EXPECT_FALSE(history[Stage::kUpload][0]);
  EXPECT_FALSE(history[Stage::kDraw][0]);
  EXPECT_EQ(history[Stage::kDraw].size(), 1u) << "stages of one frame have one index";
}

TEST(AxisEnd, IsTheNextRoundNumber) {
  EXPECT_DOUBLE_EQ(axis_end(0), 0.1);
  EXPECT_DOUBLE_EQ(axis_end(0.1), 0.1);
  EXPECT_DOUBLE_EQ(axis_end(0.11), 0.2);
  EXPECT_DOUBLE_EQ(axis_end(3), 5);
  EXPECT_DOUBLE_EQ(axis_end(5), 5);
  EXPECT_DOUBLE_EQ(axis_end(16.7), 20);
  EXPECT_DOUBLE_EQ(axis_end(501), 1000);
}

}  // namespace
}  // namespace sinew::app
