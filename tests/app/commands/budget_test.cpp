// The option --memory-budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "child.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

class BudgetOption : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }
  test::Outcome crowd(const test::Folder& folder, const char* count, const char* budget,
                      const std::string& skinning = "compute") {
    return test::sinew({"crowd", "--scene", "crowd", "--characters", count, "--frames", "6", "--warmup", "0", "--size",
                        "320x180", "--skinning", skinning, "--memory-budget", budget, "--json",
                        folder.path("crowd.json")});
  }
};

TEST_F(BudgetOption, CoversTheDeviceMemoryInUse) {
  const test::Folder folder;
  const test::Outcome outcome = crowd(folder, "300", "2", "compute,vertex,cpu");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json runs = nlohmann::json::parse(test::read(folder.path("crowd.json")))["runs"];
  for (const nlohmann::json& run : runs) {
    EXPECT_LE(run["held_bytes"], run["budget"]["needed_bytes"]) << run["skinning"];
    EXPECT_GE(run["held_bytes"], run["palette_bytes"].get<uint64_t>() + run["skinned_bytes"].get<uint64_t>());
    EXPECT_LE(run["budget"]["needed_bytes"], run["budget"]["bytes"]);
  }
}

TEST_F(BudgetOption, GivesCoarserLevelsThenSharedPoses) {
  const test::Folder folder;
  const test::Outcome outcome = crowd(folder, "300", "0.9");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json runs = nlohmann::json::parse(test::read(folder.path("crowd.json")))["runs"];
  EXPECT_EQ(runs[0]["budget"]["lod_pixels"], 64);
  EXPECT_GT(runs[0]["unique_poses"], 0);
  EXPECT_GT(runs[0]["shared_poses"], 0);
  EXPECT_THAT(outcome.out, HasSubstr("levels of detail within 64 pixels"));
}

TEST_F(BudgetOption, TooSmallForOneCharacterIsRefused) {
  const test::Folder folder;
  const test::Outcome outcome = crowd(folder, "1", "0.1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--memory-budget 0.1"));
  const std::string errors = test::without_warnings(outcome.err);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace sinew::app
