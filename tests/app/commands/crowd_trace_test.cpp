// `sinew crowd --trace`: what the file of a real run has.
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

class CrowdTrace : public Crowd {
 protected:
  /// The events of a small run.
  Json trace_of(std::vector<std::string> more) {
    const std::string file = folder_.path("trace.json");
    std::vector<std::string> arguments = {"crowd", "--scene", "crowd", "--frames", "4", "--warmup",
                                          "0",     "--size",  "64x64", "--trace",  file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = sinew(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(read(file), nullptr, false);
  }

  Folder folder_;
};

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
  const Json trace = trace_of({"--characters", "20", "--validate"});
  ASSERT_TRUE(trace.is_object()) << "not JSON";
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

TEST_F(CrowdTrace, HasAllRunsAndThreads) {
  const Json trace = trace_of({"--characters", "20,40", "--skinning", "compute,cpu", "--threads", "2"});
  ASSERT_TRUE(trace.is_object()) << "not JSON";
  std::set<std::string> runs, rows, stages;
  for (const Json& event : trace["traceEvents"]) {
    if (!event.contains("args")) continue;  // the arrow from a submission to its work
    if (event["args"].contains("run")) runs.insert(event["args"]["run"]);
    if (event["name"] == "thread_name") rows.insert(event["args"]["name"]);
    if (event["ph"] == "X" && event["pid"] == 1) stages.insert(event["name"]);
  }
  EXPECT_EQ(runs,
            (std::set<std::string>{"20 characters, compute skinning, 1 pass", "20 characters, cpu skinning, 1 pass",
                                   "40 characters, compute skinning, 1 pass", "40 characters, cpu skinning, 1 pass"}));
  EXPECT_EQ(rows, (std::set<std::string>{"main", "worker 1", "queue"}));
  EXPECT_THAT(stages, IsSupersetOf({"wait for a slot", "cull", "prepare skinning", "sample", "skin", "prepare draws",
                                    "record", "submit"}));
}

}  // namespace
}  // namespace sinew::test
