// What is made of timestamps: figures by hand, and clocks that cannot be right.
#include "report/stage_times.h"

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

/// Frame n was submitted at 10 n ms, and seen 12 ms later. Its device uploaded for 1 ms, skinned for 2 and drew for 5,
/// and was done 11 ms after the submission; its clock shows another time of day.
FrameTimes frame(uint64_t n, uint64_t epoch = 7'000'000) {
  FrameTimes times;
  times.number = n;
  times.cull_ms = 0.25, times.sample_ms = 0.5, times.record_ms = 0.25;
  times.submitted_ms = 10.0 * double(n), times.seen_ms = times.submitted_ms + 12;
  const uint64_t begin = epoch + 10 * kMs * n + 3 * kMs;
  times.skin_ticks = {begin, begin + kMs, begin + 3 * kMs};
  times.draw_ticks = {begin + 3 * kMs, begin + 8 * kMs};
  return times;
}

std::vector<FrameTimes> frames(uint64_t count) {
  std::vector<FrameTimes> all;
  for (uint64_t n = 1; n <= count; ++n) all.push_back(frame(n));
  return all;
}

RunReport report_of(const std::vector<FrameTimes>& all, const TimesInfo& info = {kClocks}) {
  RunReport report;
  add_times(all, info, report);
  return report;
}

TEST(DeviceClock, StartsAgainFromZero) {
  const DeviceClock clock{36, 50};
  EXPECT_DOUBLE_EQ(clock.ms_between(100, 20'100), 1);
  EXPECT_DOUBLE_EQ(clock.ms_between((uint64_t(1) << 36) - 10'000, 10'000), 1);
  EXPECT_DOUBLE_EQ(kMicroseconds.ms_between(UINT64_MAX - 499, 500), 1);
}

TEST(FrameTimes, AreThoseOfTheDevicesClock) {
  const RunReport report = report_of(frames(4), {kClocks, 1});
  EXPECT_FALSE(report.device_clock_is_wrong);
  EXPECT_EQ(report.frames, 3u);
  EXPECT_THAT(report.frame_ms, ElementsAre(10, 10, 10));
  EXPECT_THAT(report.upload_ms, ElementsAre(1, 1, 1));
  EXPECT_THAT(report.skin_ms, ElementsAre(2, 2, 2));
  EXPECT_THAT(report.draw_ms, ElementsAre(5, 5, 5));
  EXPECT_THAT(report.submit_ms, IsEmpty());
}

TEST(FrameTimes, FirstTakesWhatItsStagesDo) {
  EXPECT_THAT(report_of(frames(2)).frame_ms, ElementsAre(DoubleEq(1 + 8), DoubleEq(10)));
}

TEST(FrameTimes, InTurnsAreTheCpusFromTheFirstStageUntilSeen) {
  const RunReport report = report_of(frames(2), {kClocks, 0, true});
  EXPECT_THAT(report.frame_ms, ElementsAre(13, 13));
  EXPECT_THAT(report.submit_ms, ElementsAre(12, 12));
  EXPECT_THAT(report.draw_ms, ElementsAre(5, 5));
}

TEST(FrameTimes, SurviveAClockThatStartsAgainFromZero) {
  constexpr DeviceClock kShort{16, 1000};  // 65.536 ms
  std::vector<FrameTimes> all = frames(30);
  for (FrameTimes& one : all) {
    for (uint64_t& tick : *one.skin_ticks) tick &= 0xffff;
    for (uint64_t& tick : *one.draw_ticks) tick &= 0xffff;
  }
  const RunReport report = report_of(all, {{kShort, kShort}, 1});
  EXPECT_FALSE(report.device_clock_is_wrong);
  EXPECT_THAT(report.frame_ms, Each(10));
  EXPECT_THAT(report.draw_ms, Each(5));
}

TEST(FrameTimes, WithoutTimestampsAreTheCpus) {
  std::vector<FrameTimes> all = frames(3);
  for (FrameTimes& one : all) one.skin_ticks.reset(), one.draw_ticks.reset();
  all[2].seen_ms += 3;
  const RunReport report = report_of(all);
  EXPECT_FALSE(report.device_clock_is_wrong) << "there is none";
  EXPECT_THAT(report.frame_ms, ElementsAre(13, 10, 13));
  EXPECT_THAT(report.draw_ms, IsEmpty());
}

// --- clocks that cannot be right ---

void expect_wrong(const std::vector<FrameTimes>& all, const char* why) {
  EXPECT_FALSE(is_credible(all, kClocks)) << why;
  const RunReport report = report_of(all);
  EXPECT_TRUE(report.device_clock_is_wrong) << why;
  EXPECT_EQ(report.frames, all.size());
  EXPECT_THAT(report.upload_ms, IsEmpty()) << why;
  EXPECT_THAT(report.skin_ms, IsEmpty()) << why;
  EXPECT_THAT(report.draw_ms, IsEmpty()) << why;
  ASSERT_EQ(report.frame_ms.size(), all.size()) << why;
  EXPECT_THAT(report.frame_ms[0], DoubleNear(13, 1e-9)) << why << ": the CPU's clock alone tells how long it took";
  for (size_t i = 1; i < all.size(); ++i) EXPECT_THAT(report.frame_ms[i], DoubleNear(10, 1e-9)) << why;
}

template <class Change>
std::vector<FrameTimes> with(uint64_t count, Change change) {
  std::vector<FrameTimes> all = frames(count);
  for (FrameTimes& one : all) change(one);
  return all;
}

TEST(FrameTimes, OfAClockThatIsWrongAreLeftOut) {
  expect_wrong(with(1, [](FrameTimes& one) { one.skin_ticks = SkinTicks{}, one.draw_ticks = DrawTicks{}; }),
               "nothing was written");
  expect_wrong(with(3, [](FrameTimes& one) { one.skin_ticks = SkinTicks{}; }), "nothing was written on the one queue");
  expect_wrong(with(3, [](FrameTimes& one) { one.draw_ticks = DrawTicks{5, 5}; }), "it stands still");
  expect_wrong(with(1, [](FrameTimes& one) { std::swap(one.draw_ticks->front(), one.draw_ticks->back()); }),
               "it goes back");
  expect_wrong(with(1, [](FrameTimes& one) { std::swap((*one.skin_ticks)[1], (*one.skin_ticks)[2]); }),
               "it goes back between two that ascend");
  expect_wrong(with(1, [](FrameTimes& one) { one.draw_ticks->back() += 9 * kMs; }),
               "14 ms of drawing in 12 ms from submission until it was seen");
  expect_wrong(with(2, [](FrameTimes& one) { one.draw_ticks = frame(3 - one.number).draw_ticks; }),
               "the second frame ended before the first");
  expect_wrong(with(2, [](FrameTimes& one) { one.draw_ticks = frame(one.number * 3).draw_ticks; }),
               "30 ms from the end of one to that of the other, in 22 ms");
  expect_wrong(with(4,
                    [](FrameTimes& one) {
                      one.draw_ticks = DrawTicks{0x3f800000deadbeef, 0x0102030405060708};
                    }),
               "memory that was never written");
}

TEST(FrameTimes, OfOneWrongFrameDoNotMixTwoClocks) {
  std::vector<FrameTimes> all = frames(5);
  all[2].draw_ticks->back() += 1'000'000 * kMs;
  expect_wrong(all, "one timestamp");
}

TEST(FrameTimes, OfAClockThatRunsALittleFastAreKept) {
  std::vector<FrameTimes> all = frames(1);
  all[0].draw_ticks->back() = all[0].draw_ticks->front() + 12 * kMs;
  EXPECT_TRUE(is_credible(all, kClocks)) << "it drew all the time, as far as the CPU could see";
}

TEST(FrameTimes, ThatAreLeftOutAreSaidAndNull) {
  Report report;
  report.runs.push_back(report_of(frames(3)));
  EXPECT_THAT(table(report), ::testing::Not(::testing::HasSubstr("timestamps")));
  report.runs[0] = report_of(with(3, [](FrameTimes& one) { one.draw_ticks = DrawTicks{}; }));
  EXPECT_THAT(table(report), ::testing::HasSubstr("  the timestamps of this device cannot be true: "));
  EXPECT_THAT(table(report), ::testing::HasSubstr("  gpu draw             -         -         -         -\n"));
  const auto json = nlohmann::json::parse(to_json(report))["runs"][0];
  for (const char* stage : {"upload", "skin", "draw"}) EXPECT_TRUE(json["gpu_ms"][stage].is_null()) << stage;
  EXPECT_EQ(json["frame_ms"]["p50"], 10);
}

}  // namespace
}  // namespace sinew::app
