// Traces: timestamps on the CPU's clock, and the events of a run whose times are known.
#include "crowd/report/trace.h"
#include "must.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace sinew::app {
namespace {

using Json = nlohmann::json;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DeviceClock kMicroseconds{64, 1000};
constexpr DeviceClock kShort{16, 1000};  // wraps around after 65.536 ms

TEST(ClockMap, FromBothClocksCorrectsTheirDrift) {
  const ClockMap map = map_clock(kMicroseconds, {1000, 50, 0.002}, {102'000, 150, 0.001});  // the device is 1 % fast
  EXPECT_TRUE(map.is_calibrated);
  EXPECT_DOUBLE_EQ(map.cpu_ms(1000), 50);
  EXPECT_DOUBLE_EQ(map.cpu_ms(51'500), 100);
  EXPECT_DOUBLE_EQ(map.cpu_ms(102'000), 150);
  EXPECT_EQ(map.uncertainty_ms, 0.002);
}

TEST(ClockMap, WrapsAround) {
  const ClockMap map = map_clock(kShort, {60'000, 10, 0}, {60'000 + 40'000 - 65'536, 50, 0});
  EXPECT_NEAR(map.cpu_ms(4'464), 20, 1e-9) << "10 ms later";
}

TEST(ClockMap, FromSubmissionsIsRightWithinItsUncertainty) {
  // The device's clock reads 0 at 5 ms. The second submission leaves least open: it begins 0.5 ms after its
  // submission, and is seen complete 1 ms after its end.
  const SubmittedTicks submissions[] = {{10'000, 20'000, 5 + 7, 5 + 29}, {30'500, 40'000, 5 + 30, 5 + 41}};
  const ClockMap map = map_clock(kMicroseconds, submissions);
  EXPECT_FALSE(map.is_calibrated);
  EXPECT_DOUBLE_EQ(map.uncertainty_ms, 0.75);
  for (const uint64_t ticks : {10'000, 20'000, 30'500, 40'000})
    EXPECT_THAT(map.cpu_ms(ticks), DoubleNear(5 + double(ticks) / 1000, map.uncertainty_ms));
}

TEST(ClockMap, WithoutCalibrationComesFromTheFrames) {
  FrameTimes frame;
  frame.submitted_ms = 100, frame.completed_ms = 104;
  EXPECT_FALSE(map_queues({&frame, 1}, {kMicroseconds, kMicroseconds}, {}, {})) << "no timestamps";
  frame.skin_ticks = SkinTicks{500, 600, 1500}, frame.draw_ticks = DrawTicks{1500, 3500};
  const auto maps = must(map_queues({&frame, 1}, {kMicroseconds, kMicroseconds}, {}, {}));
  EXPECT_DOUBLE_EQ(maps.draw.cpu_ms(1500), 101);
  EXPECT_DOUBLE_EQ(maps.draw.cpu_ms(3500), 103);
  EXPECT_DOUBLE_EQ(maps.skin.cpu_ms(500), 101.5) << "a queue of its own has a clock of its own";
  EXPECT_TRUE(
      map_queues({&frame, 1}, {kMicroseconds, kMicroseconds}, ClockMoment{}, ClockMoment{9, 9, 0})->draw.is_calibrated);
}

/// Frame n begins at 10 n ms. The device's clock reads 0 at 2 ms.
FrameTimes frame(uint64_t n) {
  FrameTimes times;
  times.number = n;
  const double begin = 10.0 * double(n);
  times.span(CpuStage::kWait) = {begin, begin + 0.5};
  times.span(CpuStage::kCull) = {begin + 0.5, begin + 1};
  times.span(CpuStage::kSample) = {begin + 1, begin + 2};
  times.span(CpuStage::kRecord) = {begin + 2, begin + 2.5};
  times.span(CpuStage::kSubmit) = {begin + 2.5, begin + 3};
  times.submitted_ms = begin + 2.5, times.completed_ms = begin + 9;
  const uint64_t ticks = uint64_t(begin - 2) * 1000 + 3000;
  times.skin_ticks = SkinTicks{ticks, ticks + 1000, ticks + 3000};
  times.draw_ticks = DrawTicks{ticks + 3000, ticks + 5000};
  return times;
}

Trace trace_of(bool two_queues) {
  const ClockMap map = map_clock(kMicroseconds, {0, 2, 0.001}, {100'000, 102, 0.001});
  Trace trace;
  trace.device = "Abacus";
  trace.runs.push_back({"50 characters", {frame(1), frame(2)}, QueueMaps{map, map}, two_queues});
  trace.threads = {{{11, 12}}, {{3, 4}, {11.1, 11.9}, {19.5, 19.8}, {21.2, 21.7}}};  // loading, sample, move, sample
  return trace;
}

/// The spans of a row, in their order, with the milliseconds of their begins and ends.
std::string row(const Json& trace, int process, int thread) {
  std::ostringstream events;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X" || event["pid"] != process || event["tid"] != thread) continue;
    const double begin = event["ts"].get<double>() / 1000, end = begin + event["dur"].get<double>() / 1000;
    events << event["name"].get<std::string>() << ' ' << begin << '-' << end << "; ";
  }
  return events.str();
}

TEST(TraceFile, HasTheCpuAndTheDeviceOnOneClock) {
  const Json trace = Json::parse(to_trace(trace_of(false)));
  EXPECT_EQ(row(trace, 1, 1),
            "frame 1 0-3; wait for a slot 0-0.5; cull 0.5-1; sample 1-2; record 2-2.5; submit 2.5-3; "
            "frame 2 10-13; wait for a slot 10-10.5; cull 10.5-11; sample 11-12; record 12-12.5; submit 12.5-13; ");
  EXPECT_EQ(row(trace, 1, 2), "sample 1.1-1.9; move 9.5-9.8; sample 11.2-11.7; ") << "tasks of another thread";
  EXPECT_EQ(row(trace, 2, 1), "upload 3-4; skin 4-6; draw 6-8; upload 13-14; skin 14-16; draw 16-18; ");
  EXPECT_THAT(trace["otherData"]["device clock"].get<std::string>(), HasSubstr("calibrated timestamps, +-0.0010 ms"));
}

TEST(TraceFile, EachQueueHasARow) {
  const Json trace = Json::parse(to_trace(trace_of(true)));
  EXPECT_EQ(row(trace, 2, 1), "draw 6-8; draw 16-18; ");
  EXPECT_EQ(row(trace, 2, 2), "upload 3-4; skin 4-6; upload 13-14; skin 14-16; ");
}

TEST(TraceFile, PassesAreWithinTheDraw) {
  Trace of_passes = trace_of(false);
  TraceRun& run = of_passes.runs.front();
  run.frames.resize(1), run.passes = {"shadow map 0", "color"};
  const uint64_t begin = run.frames[0].draw_ticks->front();
  run.frames[0].draw_ticks = DrawTicks{begin, begin + 500, begin + 2000};
  EXPECT_EQ(row(Json::parse(to_trace(of_passes)), 2, 1),
            "upload 3-4; skin 4-6; draw 6-8; shadow map 0 6-6.5; color 6.5-8; ");
}

TEST(TraceFile, ArrowsLeadFromSubmissionsToTheDevice) {
  std::map<int, std::vector<double>> arrows;  // by id: begin, end
  const Json trace = Json::parse(to_trace(trace_of(false)));
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "s" || event["ph"] == "f") arrows[event["id"]].push_back(event["ts"].get<double>() / 1000);
  }
  EXPECT_THAT(arrows, ElementsAre(std::pair{1, std::vector{2.5, 3.0}}, std::pair{2, std::vector{12.5, 13.0}}));
}

TEST(TraceFile, WithoutTimestampsItIsTheCpuAlone) {
  Trace trace = trace_of(false);
  trace.runs[0].queues.reset();
  const Json json = Json::parse(to_trace(trace));
  EXPECT_TRUE(row(json, 2, 1).empty());
  EXPECT_EQ(row(json, 1, 1), row(Json::parse(to_trace(trace_of(false))), 1, 1));
  EXPECT_THAT(json["otherData"]["device clock"].get<std::string>(), HasSubstr("the CPU alone"));
}

TEST(TraceFile, NamesMayHaveAnyCharacters) {
  Trace trace = trace_of(false);
  trace.device = "a \"device\" \\ with \n lines";
  EXPECT_TRUE(Json::accept(to_trace(trace)));
}

}  // namespace
}  // namespace sinew::app
