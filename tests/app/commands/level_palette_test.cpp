// A `.sinew` file whose coarsest level of detail has a palette of its own: each way of skinning and each evaluator of
// `sinew crowd` shows it, compared with the CPU skinner and the exact stages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crowd_program.h"
#include "long_run.h"
#include "merged_level.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
constexpr uint32_t kMerged = 2;

class CrowdLevelPalettes : public Crowd {
 protected:
  static const std::string& file() {
    static const std::string path = [] {
      const auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb",
                                    {.levels = {.triangle_shares = {}, .small_levels = false}});
      EXPECT_TRUE(model) << model.error().message;
      std::string made = testing::TempDir() + "merged_level.sinew";
      EXPECT_TRUE(write_model_file(made, with_merged_level(**model)));
      return made;
    }();
    return path;
  }

  static CrowdRun run(std::vector<std::string> more) {
    std::vector<std::string> arguments = {file(), "--characters", "200", "--frames", "2", "--validate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return crowd(arguments);
  }
};

TEST_F(CrowdLevelPalettes, AreSkinnedInEveryWay) {
  const std::vector<std::vector<std::string>> ways = {{},
                                                      {"--evaluator", "exact"},
                                                      {"--skinning", "vertex"},
                                                      {"--skinning", "cpu"},
                                                      {"--palettes", "compact"},
                                                      {"--format", "12"},
                                                      {"--unique-poses", "20"}};
  CrowdRun first;
  for (const auto& way : some_of(ways, 4)) {
    const std::string name = way.empty() ? "as usual" : way[0] + " " + way[1];
    const CrowdRun now = run(way);
    ASSERT_EQ(now.outcome.exit_code, 0) << name << ": " << now.outcome.err << now.outcome.out;
    const Json& json = now.json["runs"][0];
    ASSERT_EQ(json["levels"].size(), kMerged + 1) << name;
    EXPECT_GT(json["levels"][kMerged], 5) << name;
    EXPECT_EQ(json["validation_messages"], 0) << name;
    EXPECT_LT(json["folded_blends"], json["levels"][kMerged]) << name;  // the others were compared
    if (first.picture.rgba.empty()) first = now;
    if (name.find("unique") == std::string::npos) {
      EXPECT_LT(difference(first.picture, now.picture).share, 0.01) << name;
    }
  }
}

TEST_F(CrowdLevelPalettes, EvaluateFewerJoints) {
  const CrowdRun merged = run({}), whole = run({"--lod", "off"});
  ASSERT_EQ(merged.outcome.exit_code, 0) << merged.outcome.err;
  ASSERT_EQ(whole.outcome.exit_code, 0) << whole.outcome.err;
  const Json &with = merged.json["runs"][0], &without = whole.json["runs"][0];
  EXPECT_LT(with["joints_evaluated"], without["joints_evaluated"]);
  EXPECT_LT(with["palette_bytes"], without["palette_bytes"]);
}

}  // namespace
}  // namespace sinew::test
