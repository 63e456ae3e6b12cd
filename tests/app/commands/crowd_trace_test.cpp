// `sinew crowd --trace`: the times in the file of a real run. crowd.rows has the names in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "crowd_program.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class CrowdTrace : public Crowd {};

double begin_of(const Json& event) { return event["ts"].get<double>(); }
double end_of(const Json& event) { return begin_of(event) + event["dur"].get<double>(); }

constexpr double kRounding = 0.002;  // microseconds

/// Spans of one row contain each other, or do not overlap.
void expect_nested(const Json& events) {
  std::map<std::pair<int, int>, std::vector<Json>> rows;
  for (const Json& event : events) {
    if (event["ph"] == "X") rows[{event["pid"], event["tid"]}].push_back(event);
  }
  for (const auto& [row, spans] : rows) {
    for (size_t a = 0; a < spans.size(); ++a) {
      for (size_t b = a + 1; b < spans.size(); ++b) {
        const bool apart =
            end_of(spans[a]) <= begin_of(spans[b]) + kRounding || end_of(spans[b]) <= begin_of(spans[a]) + kRounding;
        const bool inside =
            begin_of(spans[a]) <= begin_of(spans[b]) + kRounding && end_of(spans[b]) <= end_of(spans[a]) + kRounding;
        EXPECT_TRUE(apart || inside) << spans[a].dump() << "\n" << spans[b].dump();
      }
    }
  }
}

TEST_F(CrowdTrace, EachFrameHasItsStages) {
  const Folder folder;
  const std::string file = folder.path("trace.json");
  const Outcome outcome = sinew({"crowd", "--scene", "crowd", "--frames", "4", "--warmup", "0", "--size", "64x64",
                                 "--trace", file, "--characters", "20", "--validate"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json trace = Json::parse(read(file));
  expect_nested(trace["traceEvents"]);
  std::map<int, std::map<std::string, Json>> frames;
  std::map<int, double> submitted_us;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "s") submitted_us[event["id"]] = begin_of(event);
    if (event["ph"] != "X" || !event["args"].contains("frame")) continue;
    const std::string name = event["name"];
    frames[event["args"]["frame"]][name.starts_with("frame ") ? "frame" : name] = event;
  }
  ASSERT_EQ(frames.size(), 4u);
  for (auto& [number, events] : frames) {
    std::set<std::string> names;
    for (const auto& [name, event] : events) names.insert(name);
    ASSERT_THAT(names, IsSupersetOf({"frame", "upload", "skin", "draw"})) << number;
    EXPECT_GE(begin_of(events["upload"]), submitted_us[number] - kRounding) << "the device began before the submission";
    EXPECT_GE(begin_of(events["draw"]), end_of(events["skin"]) - kRounding);
    const double complete_us = events["frame"]["args"]["seen complete at us"];
    EXPECT_LE(end_of(events["draw"]), complete_us + kRounding) << "the device drew after the CPU saw it complete";
  }
  EXPECT_THAT(trace["otherData"]["device clock"].get<std::string>(), HasSubstr("+-"));
}

}  // namespace
}  // namespace sinew::test
