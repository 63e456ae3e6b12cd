// Stage times from timestamps: figures computed by hand, and device clocks that are wrong.
#include "crowd/report/stage_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
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

TEST(DeviceClock, WrapsAround) {
  const DeviceClock clock{36, 50};
  EXPECT_DOUBLE_EQ(clock.ms_between(100, 20'100), 1);
  EXPECT_DOUBLE_EQ(clock.ms_between((uint64_t(1) << 36) - 10'000, 10'000), 1);
  EXPECT_DOUBLE_EQ(kMicroseconds.ms_between(UINT64_MAX - 499, 500), 1);
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
  RunReport run = times_report(all);
  run.overlap_ms = {1, 1, 1};
  Report report;
  report.runs = {run};
  EXPECT_THAT(table(report), ::testing::HasSubstr("overlap the drawing of the previous frame, by 1.00 ms"));
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

template <class Change>
std::vector<FrameTimes> with(uint64_t count, Change change) {
  std::vector<FrameTimes> all = frames(count);
  for (FrameTimes& one : all) change(one);
  return all;
}

TEST(FrameTimes, OmitGpuTimesIfTheClockIsWrong) {
  expect_wrong(with(1,
                    [](FrameTimes& one) {
                      one.skin_ticks = SkinTicks{}, one.draw_ticks = DrawTicks{0, 0};
                    }),
               "nothing was written");
  expect_wrong(with(3, [](FrameTimes& one) { one.skin_ticks = SkinTicks{}; }),
               "nothing was written on the skinning queue");
  expect_wrong(with(3, [](FrameTimes& one) { one.draw_ticks = DrawTicks{5, 5}; }), "the clock stands still");
  expect_wrong(with(1, [](FrameTimes& one) { std::swap(one.draw_ticks->front(), one.draw_ticks->back()); }),
               "the clock runs backwards");
  expect_wrong(with(1, [](FrameTimes& one) { std::swap((*one.skin_ticks)[1], (*one.skin_ticks)[2]); }),
               "the clock runs backwards between two timestamps that ascend");
  expect_wrong(with(1, [](FrameTimes& one) { one.draw_ticks->back() += 9 * kMs; }),
               "14 ms of drawing, but 12 ms from the submission until the completion was seen");
  expect_wrong(with(2, [](FrameTimes& one) { one.draw_ticks = frame_times(3 - one.number).draw_ticks; }),
               "the second frame ended before the first");
  expect_wrong(with(2, [](FrameTimes& one) { one.draw_ticks = frame_times(one.number * 3).draw_ticks; }),
               "30 ms between the ends of two frames, but 22 ms by the CPU's clock");
  expect_wrong(with(4,
                    [](FrameTimes& one) {
                      one.draw_ticks = DrawTicks{0x3f800000deadbeef, 0x0102030405060708};
                    }),
               "the values are memory that was never written");
}

TEST(FrameTimes, OmitAllGpuTimesIfOneTimestampIsWrong) {
  std::vector<FrameTimes> all = frames(5);
  all[2].draw_ticks->back() += 1'000'000 * kMs;
  expect_wrong(all, "one timestamp");
}

TEST(FrameTimes, AcceptAClockThatRunsSlightlyFast) {
  std::vector<FrameTimes> all = frames(1);
  all[0].draw_ticks->back() = all[0].draw_ticks->front() + 12 * kMs;
  EXPECT_TRUE(is_credible(all, kClocks)) << "drawing took no longer than the CPU's clock allows";
}

TEST(FrameTimes, OmittedGpuTimesAreReportedAndNull) {
  Report report;
  report.runs.push_back(times_report(frames(3)));
  EXPECT_THAT(table(report), ::testing::Not(::testing::HasSubstr("timestamps")));
  report.runs[0] = times_report(with(3, [](FrameTimes& one) { one.draw_ticks = DrawTicks{0, 0}; }));
  EXPECT_THAT(table(report), ::testing::HasSubstr("  the timestamps of this device cannot be true: "));
  EXPECT_THAT(table(report), ::testing::HasSubstr("  gpu draw                    -         -         -         -\n"));
  const auto json = nlohmann::json::parse(to_json(report))["runs"][0];
  for (const char* stage : {"upload", "skin", "draw"}) EXPECT_TRUE(json["gpu_ms"][stage].is_null()) << stage;
  EXPECT_EQ(json["frame_ms"]["p50"], 10);
}

}  // namespace
}  // namespace sinew::app
