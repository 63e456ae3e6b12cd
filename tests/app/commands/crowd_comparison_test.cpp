// `sinew crowd` with several numbers of characters, repeats, and comparisons: what it writes and how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "crowd_program.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

class CrowdComparison : public Crowd {
 protected:
  /// A small crowd; `more` come after.
  static Outcome small(std::vector<std::string> more) {
    std::vector<std::string> arguments = {"crowd", "--characters", "5", "--frames", "1", "--size", "64x64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }

  Folder folder_;
};

TEST_F(CrowdComparison, EachNumberOfCharactersIsARun) {
  const std::string json = folder_.path("a.json"), csv = folder_.path("a.csv");
  const Outcome outcome = sinew({"crowd", "--characters", "3,2..5", "--skinning", "compute,vertex", "--frames", "2",
                                 "--repeat", "2", "--size", "64x64", "--json", json, "--csv", csv, "--validate"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(read(json));
  ASSERT_EQ(report["runs"].size(), 8u);
  const int counts[] = {3, 3, 2, 2, 4, 4, 5, 5};
  for (size_t i = 0; i < 8; ++i) {
    const Json& run = report["runs"][i];
    EXPECT_EQ(run["characters"], counts[i]);
    EXPECT_EQ(run["skinning"], i % 2 == 0 ? "compute" : "vertex");
    EXPECT_EQ(run["repeats"], 2);
    EXPECT_EQ(run["frames"], 4);
    EXPECT_EQ(run["frame_ms"]["repeats"].size(), 2u);
    EXPECT_GT(run["draws"], 0);
    EXPECT_EQ(run["dispatches"] > 0, i % 2 == 0);
    EXPECT_LT(run["max_palette_error"], 1e-4);  // each run was compared with the CPU
    EXPECT_EQ(run["validation_messages"], 0);
  }
  EXPECT_TRUE(report["machine"]["fixed_task_before"]["ms"] > 0);
  EXPECT_EQ(report["machine"]["validated"], true);
  EXPECT_THAT(outcome.err, HasSubstr("WARNING: validation layers were on"));
  EXPECT_THAT(report["command"].get<std::string>(), HasSubstr("crowd --characters 3,2..5"));
  const std::string table = read(csv);
  EXPECT_THAT(table, HasSubstr("device,commit,scene,model,characters"));
  EXPECT_GE(std::count(table.begin(), table.end(), '\n'), 1 + 8 * 4);
}

TEST_F(CrowdComparison, ARunComparedWithItselfHasEqualCounters) {
  const std::string json = folder_.path("old.json");
  ASSERT_EQ(small({"--repeat", "7", "--json", json}).exit_code, 0);
  const std::string page = folder_.path("page.html");
  const Outcome same = small({"--compare", json, "--html", page});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("7 times 1 frames"));
  EXPECT_THAT(same.out, HasSubstr("all counters are equal"));
  EXPECT_THAT(read(page), HasSubstr("\"comparison\":{\"old\":\"old.json\""));
  const Outcome other = small({"--compare", json, "--seed", "9"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("seed was 1 and is 9"));
  EXPECT_THAT(other.out, HasSubstr("5 characters in"));  // the run itself is not lost
}

TEST_F(CrowdComparison, FramesSlowerThanTheLimitAreExitCodeOne) {
  const std::string json = folder_.path("old.json"), faster = folder_.path("faster.json");
  ASSERT_EQ(small({"--repeat", "7", "--json", json}).exit_code, 0);
  Json report = Json::parse(read(json));
  for (Json& time : report["runs"][0]["frame_ms"]["repeats"]) time = 1e-6;
  write(faster, report.dump());
  const Outcome slower = small({"--compare", faster, "--fail-above", "5%"});
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_THAT(slower.err, HasSubstr("frames are slower than those of " + faster + " by more than 5 %"));
  EXPECT_EQ(small({"--compare", faster}).exit_code, 0);  // without a limit it is only printed
}

TEST_F(CrowdComparison, AnotherProgramRunsInTurn) {
  const std::string page = folder_.path("page.html");
  const Outcome same = small({"--against", SINEW_PROGRAM, "--repeat", "2", "--html", page});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("both ran in turn"));
  EXPECT_THAT(same.out, HasSubstr("too few repeats"));
  EXPECT_THAT(same.out, HasSubstr("all counters are equal"));
  EXPECT_THAT(same.out, HasSubstr("These times cannot tell whether frames are faster or slower."));
  EXPECT_THAT(read(page), HasSubstr("\"comparison\":{\"old\":\"another build\""));
  EXPECT_THAT(read(page), HasSubstr("\"command\":\"sinew crowd --characters 5 "));
}

TEST_F(CrowdComparison, AProgramThatFailsIsNamed) {
  const Outcome missing = small({"--against", folder_.path("none")});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("cannot run " + folder_.path("none")));
  const Outcome failing = small({"--against", "/bin/false"});
  EXPECT_EQ(failing.exit_code, 1);
  EXPECT_THAT(failing.err, HasSubstr("/bin/false ended with exit code 1"));
  const std::string breaks = folder_.path("breaks");  // in its second turn
  write(breaks, "#!/bin/sh\necho 'end of turn'\nread line\necho 'out of beads' >&2\nexit 3\n");
  std::filesystem::permissions(breaks, std::filesystem::perms::owner_all);
  const Outcome breaking = small({"--against", breaks});
  EXPECT_EQ(breaking.exit_code, 1);
  EXPECT_THAT(breaking.err, HasSubstr(breaks + " ended with exit code 3: out of beads"));
}

TEST_F(CrowdComparison, TurnsNeedAnotherProgram) {
  const Outcome alone = small({"--wait-between-repeats", "--repeat", "2"});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.out, HasSubstr("end of turn\n"));
  EXPECT_THAT(alone.err, HasSubstr("--wait-between-repeats waits for a line on standard input, but it ended"));
}

TEST(CrowdComparisonOptions, OlderReportsAreReadFirstAndNeverOverwritten) {
  const Folder folder;
  write(folder.path("a.json"), "{}");
  const Outcome overwriting = sinew({"crowd", "--compare", folder.path("a.json"), "--json", folder.path("a.json")});
  EXPECT_EQ(overwriting.exit_code, 2);
  EXPECT_THAT(overwriting.err, HasSubstr("a.json"));
  const Outcome unreadable = sinew({"crowd", "--compare", folder.path("none.json")});
  EXPECT_EQ(unreadable.exit_code, 1);
  EXPECT_THAT(unreadable.err, HasSubstr("none.json: cannot be read"));
}

}  // namespace
}  // namespace sinew::test
