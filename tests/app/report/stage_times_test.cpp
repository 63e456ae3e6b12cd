// Stage times from timestamps: figures computed by hand, device clocks that are wrong, and the times of the last
// frames.
#include "crowd/report/stage_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sinew::app {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr DeviceClock kMicroseconds{64, 1000};
constexpr QueueClocks kClocks{kMicroseconds, kMicroseconds};
constexpr uint64_t kMs = 1000;  // ticks

/// Frame n is submitted at 10 n ms, and the CPU sees its completion 12 ms later. The device uploads for 1 ms, skins for
/// 2 ms, draws for 5 ms, and completes 11 ms after the submission. The device clock reads `epoch` ticks at 0 ms.
FrameTimes frame_times(uint64_t n, uint64_t epoch = 7'000'000) {
  FrameTimes times;
  times.number = n;
  const double begin_ms = 10.0 * double(n) - 1;
  times.span(CpuStage::kCull) = {begin_ms, begin_ms + 0.25};
  times.span(CpuStage::kSample) = {begin_ms + 0.25, begin_ms + 0.75};
  times.span(CpuStage::kRecord) = {begin_ms + 0.75, begin_ms + 1};
  times.submitted_ms = 10.0 * double(n), times.completed_ms = times.submitted_ms + 12;
  const uint64_t begin = epoch + 10 * kMs * n + 3 * kMs;
  times.skin_ticks = {begin, begin + kMs, begin + 3 * kMs};
  times.draw_ticks = {begin + 3 * kMs, begin + 8 * kMs};
  return times;
}

std::vector<FrameTimes> frames(uint64_t count) {
  std::vector<FrameTimes> all;
  for (uint64_t n = 1; n <= count; ++n) all.push_back(frame_times(n));
  return all;
}

RunReport times_report(const std::vector<FrameTimes>& all, const TimesInfo& info = {kClocks}) {
  RunReport report;
  add_times(all, info, report);
  return report;
}

TEST(FrameTimes, UseTheDeviceClock) {
  const RunReport report = times_report(frames(4), {.clocks = kClocks, .warmup = 1});
  EXPECT_FALSE(report.device_clock_is_wrong);
  EXPECT_EQ(report.frames, 3u);
  EXPECT_THAT(report[Stage::kFrame], ElementsAre(10, 10, 10));
  EXPECT_THAT(report[Stage::kUpload], ElementsAre(1, 1, 1));
  EXPECT_THAT(report[Stage::kSkin], ElementsAre(2, 2, 2));
  EXPECT_THAT(report[Stage::kDraw], ElementsAre(5, 5, 5));
  EXPECT_THAT(report[Stage::kSubmission], IsEmpty());
}

TEST(FrameTimes, OfDrawingAreTimedPassByPass) {
  std::vector<FrameTimes> all = frames(2);
  for (FrameTimes& one : all) {
    const uint64_t begin = one.draw_ticks->front();
    one.draw_ticks = {begin, begin + 2 * kMs, begin + 5 * kMs};
  }
  RunReport report;
  report.passes_drawn = {{"shadow map 0", {}}, {"color", {}}};
  add_times(all, {kClocks}, report);
  EXPECT_THAT(report.passes_drawn[0].ms, ElementsAre(2, 2));
  EXPECT_THAT(report.passes_drawn[1].ms, ElementsAre(3, 3));
  EXPECT_THAT(report[Stage::kDraw], ElementsAre(5, 5));
  all[1].draw_ticks = {all[1].draw_ticks->front(), all[1].draw_ticks->back()};  // a window: the passes have changed
  add_times(all, {kClocks}, report);
  EXPECT_THAT(report.passes_drawn[1].ms, ElementsAre(3, 3, 3));
}

TEST(FrameTimes, NameWhatOverlaps) {
  std::vector<FrameTimes> all = frames(3);
  EXPECT_THAT(times_report(all).overlap_ms, ElementsAre(0, 0)) << "the device waits 2 ms between two frames";
  for (uint64_t& tick : *all[1].skin_ticks) tick -= 3 * kMs;
  EXPECT_THAT(times_report(all).overlap_ms, ElementsAre(1, 0)) << "frame 2 uploads while frame 1 is drawn";
  EXPECT_THAT(times_report(all, {.clocks = kClocks, .one_queue = false}).overlap_ms, IsEmpty())
      << "clocks of two queues are not compared";
}

TEST(FrameTimes, OmitTheWarmUpOfEachRepeat) {
  std::vector<FrameTimes> all = frames(6);
  all[0].span(CpuStage::kCull).end_ms += 50, all[3].span(CpuStage::kCull).end_ms += 60;
  const RunReport report = times_report(all, {.clocks = kClocks, .warmup = 1, .repeat_frames = 3});
  EXPECT_EQ(report.frames, 4u);
  EXPECT_THAT(report[Stage::kCull], Each(0.25)) << "frames 1 and 4 are the warm-up of their repeats";
}

TEST(FrameTimes, FirstFrameTakesTheSumOfItsStages) {
  EXPECT_THAT(times_report(frames(2))[Stage::kFrame], ElementsAre(DoubleEq(1 + 8), DoubleEq(10)));
}

TEST(FrameTimes, UseTheCpuClockWhenFramesRunAlone) {
  const RunReport report = times_report(frames(2), {.clocks = kClocks, .runs_alternate = true});
  EXPECT_THAT(report[Stage::kFrame], ElementsAre(13, 13));
  EXPECT_THAT(report[Stage::kSubmission], ElementsAre(12, 12));
  EXPECT_THAT(report[Stage::kDraw], ElementsAre(5, 5));
}

TEST(FrameTimes, AreRightWhenTheClockWrapsAround) {
  constexpr DeviceClock kShort{16, 1000};  // 65.536 ms
  std::vector<FrameTimes> all = frames(30);
  for (FrameTimes& one : all) {
    for (uint64_t& tick : *one.skin_ticks) tick &= 0xffff;
    for (uint64_t& tick : one.draw_ticks->span()) tick &= 0xffff;
  }
  const RunReport report = times_report(all, {.clocks = {kShort, kShort}, .warmup = 1});
  EXPECT_FALSE(report.device_clock_is_wrong);
  EXPECT_THAT(report[Stage::kFrame], Each(10));
  EXPECT_THAT(report[Stage::kDraw], Each(5));
}

TEST(FrameTimes, UseTheCpuClockWithoutTimestamps) {
  std::vector<FrameTimes> all = frames(3);
  for (FrameTimes& one : all) one.skin_ticks.reset(), one.draw_ticks.reset();
  all[2].completed_ms += 3;
  const RunReport report = times_report(all);
  EXPECT_FALSE(report.device_clock_is_wrong) << "there is no device clock";
  EXPECT_THAT(report[Stage::kFrame], ElementsAre(13, 10, 13));
  EXPECT_THAT(report[Stage::kDraw], IsEmpty());
}

// --- wrong clocks ---

void expect_wrong(const std::vector<FrameTimes>& all, const char* why) {
  EXPECT_FALSE(is_credible(all, kClocks)) << why;
  const RunReport report = times_report(all);
  EXPECT_TRUE(report.device_clock_is_wrong) << why;
  EXPECT_EQ(report.frames, all.size());
  EXPECT_THAT(report[Stage::kUpload], IsEmpty()) << why;
  EXPECT_THAT(report[Stage::kSkin], IsEmpty()) << why;
  EXPECT_THAT(report[Stage::kDraw], IsEmpty()) << why;
  ASSERT_EQ(report[Stage::kFrame].size(), all.size()) << why;
  EXPECT_THAT(report[Stage::kFrame][0], DoubleNear(13, 1e-9)) << why << ": only the CPU's clock is left";
  for (size_t i = 1; i < all.size(); ++i) EXPECT_THAT(report[Stage::kFrame][i], DoubleNear(10, 1e-9)) << why;
}

TEST(FrameTimes, OmitGpuTimesIfTheClockIsWrong) {
  using ChangeOne = void (*)(FrameTimes&);
  static constexpr SkinTicks kNoSkinning{};
  static const DrawTicks kNoDrawing{0, 0}, kStill{5, 5}, kGarbage{0x3f800000deadbeef, 0x0102030405060708};
  const std::tuple<const char*, uint64_t, ChangeOne> rows[] = {
      {"nothing was written", 1, [](FrameTimes& one) { one.skin_ticks = kNoSkinning, one.draw_ticks = kNoDrawing; }},
      {"nothing was written on the skinning queue", 3, [](FrameTimes& one) { one.skin_ticks = kNoSkinning; }},
      {"the clock stands still", 3, [](FrameTimes& one) { one.draw_ticks = kStill; }},
      {"the clock runs backwards", 1,
       [](FrameTimes& one) { std::swap(one.draw_ticks->front(), one.draw_ticks->back()); }},
      {"the clock runs backwards between two timestamps that ascend", 1,
       [](FrameTimes& one) { std::swap((*one.skin_ticks)[1], (*one.skin_ticks)[2]); }},
      {"14 ms of drawing, but 12 ms from the submission until the completion was seen", 1,
       [](FrameTimes& one) { one.draw_ticks->back() += 9 * kMs; }},
      {"the second frame ended before the first", 2,
       [](FrameTimes& one) { one.draw_ticks = frame_times(3 - one.number).draw_ticks; }},
      {"30 ms between the ends of two frames, but 22 ms by the CPU's clock", 2,
       [](FrameTimes& one) { one.draw_ticks = frame_times(one.number * 3).draw_ticks; }},
      {"the values are memory that was never written", 4, [](FrameTimes& one) { one.draw_ticks = kGarbage; }},
      {"one timestamp", 5, [](FrameTimes& one) { one.draw_ticks->back() += one.number == 3 ? 1'000'000 * kMs : 0; }}};
  for (const auto& [why, count, change] : rows) {
    std::vector<FrameTimes> all = frames(count);
    for (FrameTimes& one : all) change(one);
    expect_wrong(all, why);
  }
}

TEST(FrameTimes, AcceptAClockThatRunsSlightlyFast) {
  std::vector<FrameTimes> all = frames(1);
  all[0].draw_ticks->back() = all[0].draw_ticks->front() + 12 * kMs;
  EXPECT_TRUE(is_credible(all, kClocks)) << "drawing took no longer than the CPU's clock allows";
}

// --- the last frames, for the graphs of a window ---

RecentTimes pushed(int count) {
  RecentTimes times;
  for (int i = 0; i < count; ++i) times.push(i);
  return times;
}

TEST(RecentTimes, KeepTheLastFramesInOrder) {
  for (const int count : {0, 3, int(kHistoryFrames), int(kHistoryFrames) + 7, 2 * int(kHistoryFrames)}) {
    const RecentTimes times = pushed(count);
    const int first = std::max(0, count - int(kHistoryFrames));
    ASSERT_EQ(times.size(), size_t(count - first));
    for (int i = first; i < count; ++i) EXPECT_EQ(times[size_t(i - first)], double(i));
    EXPECT_EQ(times.percentile(0), count > 0 ? std::optional(double(first)) : std::nullopt);
    EXPECT_EQ(times.percentile(1), count > 0 ? std::optional(double(count - 1)) : std::nullopt);
  }
  EXPECT_EQ(pushed(100).percentile(0.95), 94.0);
}

TEST(RecentTimes, ASampleBeginsAnew) {
  RecentTimes times = pushed(300);
  times.begin_sample();
  EXPECT_FALSE(times.percentile(0.5));
  EXPECT_EQ(times.size(), kHistoryFrames) << "the graph keeps earlier frames";
  times.push(1), times.push({}), times.push(3), times.push(2);
  EXPECT_EQ(times.percentile(0.5), 2.0) << "what was not measured does not count";
  EXPECT_EQ(times.percentile(1), 3.0);
  EXPECT_FALSE(times[kHistoryFrames - 3]);
  for (size_t i = 0; i < 2 * kHistoryFrames; ++i) times.push(9);
  EXPECT_EQ(times.percentile(0), 9.0);
}

TEST(TimeHistory, HasTheStagesOfAFrameButNoTimestampsThatAreNotCredible) {
  FrameTimes frame = frame_times(1);
  frame.span(CpuStage::kPrepareSkinning) = {3, 3.25}, frame.span(CpuStage::kPrepareDraws) = {4, 4.5};
  TimeHistory history;
  history.add_stages(frame, kClocks);
  frame.completed_ms = frame.submitted_ms + 3;  // less than the 5 ms that drawing is said to take
  frame.span(CpuStage::kSkin) = {6, 8};
  history.add_stages(frame, kClocks);
  using Times = std::array<std::optional<double>, 2>;
  const std::pair<Stage, Times> rows[] = {{Stage::kCull, {0.25, 0.25}}, {Stage::kSample, {0.5, 0.5}},
                                          {Stage::kRecord, {1, 1}},     {Stage::kCpuSkin, {std::nullopt, 2}},
                                          {Stage::kUpload, {1}},        {Stage::kSkin, {2}},
                                          {Stage::kDraw, {5}}};
  for (const auto& [stage, times] : rows) {
    const RecentTimes& recent = history.stages[size_t(stage)];
    EXPECT_EQ((Times{recent[0], recent[1]}), times) << name_of(stage);
  }
}

TEST(AxisEnd, IsTheNextRoundNumber) {
  for (const auto& [ms, end] : std::vector<std::pair<double, double>>{
           {0, 0.1}, {0.1, 0.1}, {0.11, 0.2}, {3, 5}, {5, 5}, {16.7, 20}, {501, 1000}}) {
    EXPECT_DOUBLE_EQ(axis_end(ms), end);
  }
}

}  // namespace
}  // namespace sinew::app
