// `sinew crowd --format`: the formats of skinned vertices, compared with the CPU skinner and by their pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crowd_program.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class CrowdFormats : public Crowd {};

CrowdRun crowd_of(const std::string& format, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"--characters", "30", "--frames", "2", "--passes", "3", "--format", format};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return crowd(arguments);
}

TEST_F(CrowdFormats, DrawTheSamePicture) {
  const CrowdRun usual = crowd_of("16");
  ASSERT_EQ(usual.outcome.exit_code, 0) << usual.outcome.err;
  for (const int format : {12, 24}) {
    const CrowdRun run = crowd_of(std::to_string(format), {"--validate"});
    ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    EXPECT_EQ(run.json["runs"][0]["format"], format);
    const uint64_t vertices = run.json["runs"][0]["skinned_vertices"];
    EXPECT_EQ(run.json["runs"][0]["skinned_bytes"], vertices * format);
    EXPECT_EQ(vertices, usual.json["runs"][0]["skinned_vertices"]);
    EXPECT_EQ(run.json["runs"][0]["validation_messages"], 0);
    EXPECT_LT(difference(usual.picture, run.picture).share, 0.01) << format;
  }
}

TEST_F(CrowdFormats, PackedPositionsNeedNoCulling) {
  const CrowdRun run = crowd_of("12", {"--cull", "off", "--validate", "--evaluator", "exact"});
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_THAT(run.outcome.out, HasSubstr("beyond the rounding to 16 bits"));
}

TEST_F(CrowdFormats, AreComparedWithTheVertexShader) {
  const CrowdRun run = crowd_of("24", {"--skinning", "vertex,compute"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.json["runs"][0]["format"], 16) << "it writes no vertices: the default";
  EXPECT_EQ(run.json["runs"][1]["format"], 24);
}

TEST_F(CrowdFormats, OtherWritersHaveOneFormat) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--format", "20"}, "--format"},
      {{"--format", "12", "--skinning", "cpu"}, "--format other than 16 cannot be used with --skinning cpu"},
      {{"--format", "24", "--color", "velocity"}, "--format other than 16 cannot be used with --color velocity"},
      {{"--format", "24", "--window"}, "--format other than 16 cannot be used with --color velocity or --window"}};
  for (auto [arguments, message] : cases) {
    arguments.insert(arguments.begin(), "crowd");
    const Outcome outcome = sinew(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace sinew::test
