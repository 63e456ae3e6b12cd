// Times of `sinew crowd` that are measured in two ways: stages add up to frames and submissions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "crowd_program.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

class CrowdClocks : public Crowd {};

/// A loaded machine wakes threads late. Where two clocks are compared, one of so many runs must be right.
constexpr int kClockRuns = 4;

/// The share of a frame ("frame_ms") or of a submission that its stages take, each one's median ("p50") or another of
/// its figures.
double share_of_stages(const Json& run, const char* whole, const char* figure) {
  Json stages = whole == std::string("frame_ms") ? run["cpu_ms"] : Json::object();
  for (const std::string stage : {"upload", "skin", "draw"}) stages["gpu " + stage] = run["gpu_ms"][stage];
  double sum = 0;
  for (const Json& stage : stages) sum += stage.is_null() ? 0 : stage[figure].get<double>();
  return sum / run[whole][figure].get<double>();
}

TEST_F(CrowdClocks, StagesAddUpToTheFrame) {
  for (const char* skinning : {"compute", "cpu", "vertex"}) {
    double share = 0;
    bool on_cpu = true;
    for (int i = 0; i < kClockRuns && on_cpu && share < 0.85; ++i) {
      const CrowdRun run =
          crowd({"--characters", "50", "--frames", "1", "--warmup", "1", "--slots", "1", "--skinning", skinning});
      ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
      const Json& json = run.json["runs"][0];
      if (json["gpu_ms"]["draw"].is_null())
        GTEST_SKIP() << "NO TIMESTAMPS: stages of the device were not added up here";
      share = share_of_stages(json, "frame_ms", "p50");
      EXPECT_LE(share, 1.001) << skinning;
      on_cpu = run.json["device"]["type"] == "cpu";  // on a GPU the submission itself takes a large part
    }
    EXPECT_TRUE(share >= 0.85 || !on_cpu) << skinning << ": " << share;
  }
}

/// The largest difference of 1 and the share of a submission that its stages take, of all runs.
double gap_of_submissions(const Json& report) {
  double gap = 0;
  for (const Json& run : report["runs"]) gap = std::max(gap, std::abs(share_of_stages(run, "submit_ms", "max") - 1));
  return gap;
}

TEST_F(CrowdClocks, StagesAddUpToTheSubmission) {
  const std::vector<std::string> arguments = {"--characters",  "30", "--frames",   "3",
                                              "--warmup",      "1",  "--skinning", "compute,vertex",
                                              "--shadow-maps", "1",  "--validate"};
  CrowdRun run = crowd(arguments);
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  if (run.json["device"]["type"] == "cpu" && !run.json["runs"][0]["gpu_ms"]["draw"].is_null()) {
    for (int i = 1; i < kClockRuns && gap_of_submissions(run.json) >= 0.1; ++i) run = crowd(arguments);
    EXPECT_LT(gap_of_submissions(run.json), 0.1);
  }
  ASSERT_EQ(run.json["runs"].size(), 2u);
  for (const Json& json : run.json["runs"]) {
    EXPECT_EQ(json["frames"], 3);
    const Json& submit = json["submit_ms"];
    for (const auto& [less, more] : {std::pair("p50", "p95"), {"p95", "p99"}, {"p99", "max"}})
      EXPECT_LE(submit[less], submit[more]);
    EXPECT_GE(json["frame_ms"]["p50"], submit["p50"]);
  }
  EXPECT_THAT(run.outcome.out, HasSubstr("cannot tell whether that is faster than skinning in the vertex shader"));
  EXPECT_TRUE(run.json["runs"][0]["speed_over_vertex"].is_null()) << "three frames are too few";
}

}  // namespace
}  // namespace sinew::test
