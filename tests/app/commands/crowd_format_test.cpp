// `sinew crowd --format`, `--palettes` and `--vertex-fetch`: the formats of skinned vertices and of palettes, compared
// with the CPU skinner and by their pictures, and the two ways to draw them, by their pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crowd_program.h"
#include "long_run.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class CrowdFormats : public Crowd {};

CrowdRun crowd_in_format(const std::string& format, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"--characters", "30", "--frames", "2",   "--shadow-maps", "1",
                                        "--depth-pass", "on", "--format", format};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return crowd(arguments);
}

TEST_F(CrowdFormats, DrawTheSamePicture) {
  const CrowdRun usual = crowd_in_format("16");
  ASSERT_EQ(usual.outcome.exit_code, 0) << usual.outcome.err;
  for (const int format : some_of({12, 24}, 1)) {
    const CrowdRun run = crowd_in_format(std::to_string(format), {"--validate"});
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
  const CrowdRun run = crowd_in_format("12", {"--cull", "off", "--validate", "--evaluator", "exact"});
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_THAT(run.outcome.out, HasSubstr("beyond the rounding to 16 bits"));
}

TEST_F(CrowdFormats, AreComparedWithTheVertexShader) {
  const CrowdRun run = crowd_in_format("24", {"--skinning", "vertex,compute"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.json["runs"][0]["format"], 16) << "it writes no vertices: the default";
  EXPECT_EQ(run.json["runs"][1]["format"], 24);
}

TEST(CrowdPalettes, AreAThirdOfTheBytesWhereTheyAreCompact) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const std::vector<std::string> arguments = {"--characters", "60",         "--frames", "3",
                                              "--validate",   "--palettes", "full"};
  std::vector<std::string> others = arguments;
  others.back() = "compact";
  const CrowdRun full = crowd(arguments), compact = crowd(others);
  ASSERT_EQ(full.outcome.exit_code, 0) << full.outcome.err;
  ASSERT_EQ(compact.outcome.exit_code, 0) << compact.outcome.err;
  const auto &before = full.json["runs"][0], after = compact.json["runs"][0];
  EXPECT_EQ(before["palettes"], "full");
  EXPECT_EQ(after["palettes"], "compact");
  EXPECT_EQ(after["validation_messages"], 0);
  EXPECT_EQ(uint64_t(after["palette_bytes"]) * 3, uint64_t(before["palette_bytes"]));
  const double added_mm = double(after["max_pose_error_mm"]) - double(before["max_pose_error_mm"]);
  EXPECT_LT(added_mm, 0.024);
  EXPECT_NE(added_mm, 0) << "they were rounded";
  EXPECT_LT(double(after["max_error"]), 1e-5) << "of skinning alone";
  EXPECT_LT(difference(full.picture, compact.picture).share, 0.002);
}

TEST(CrowdPalettes, OfJointsThatScaleAreNotCompact) {
  SINEW_SKIP_WITHOUT_DEVICE();
  auto character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character) << character.error().message;
  Track<Vec3>& scale = character->clips.front().tracks.front().scale;
  scale = {{0, 1}, {{1, 1, 1}, {1, 2, 1}}};
  const Folder folder;
  const std::string path = folder.path("stretched.sinew");
  ASSERT_TRUE(write_character_file(path, {*character, {}, {}}));
  const Outcome outcome = sinew({"crowd", path, "--characters", "3", "--palettes", "compact"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--palettes compact: stretched has joints that scale"));
}

/// What `arguments` draw with both ways to fetch vertices: the same picture, with fewer draws.
void expect_same_picture(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--characters", "60", "--frames", "3", "--validate", "--vertex-fetch", "input"});
  const CrowdRun input = crowd(arguments);
  arguments[6] = "pulling";
  const CrowdRun pulling = crowd(arguments);
  ASSERT_EQ(input.outcome.exit_code, 0) << input.outcome.err;
  ASSERT_EQ(pulling.outcome.exit_code, 0) << pulling.outcome.err;
  const auto &before = input.json["runs"][0], after = pulling.json["runs"][0];
  EXPECT_EQ(before["vertex_fetch"], "input");
  EXPECT_EQ(after["vertex_fetch"], "pulling");
  EXPECT_EQ(after["validation_messages"], 0);
  EXPECT_LT(after["draws"], before["draws"]);
  EXPECT_EQ(after["skinned_vertices"], before["skinned_vertices"]);
  // The pictures of Mesa's software driver are equal to the bit. Other devices may round otherwise where vertex input
  // converts 16-bit numbers: by one step of a color, in few pixels.
  const Difference differs = difference(input.picture, pulling.picture);
  EXPECT_EQ(differs.share, 0);
  EXPECT_LT(differs.mean, 1e-3);
}

class VertexFetches : public Crowd, public ::testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(VertexFetches, DrawTheSamePicture) { expect_same_picture(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Formats, VertexFetches,
                         ::testing::Values(std::vector<std::string>{"--format", "12", "--shadow-maps", "1",
                                                                    "--depth-pass", "on"},
                                           std::vector<std::string>{"--format", "16", "--shadow-maps", "1"},
                                           std::vector<std::string>{"--format", "24"}));
INSTANTIATE_TEST_SUITE_P(Scenes, VertexFetches,
                         ::testing::Values(std::vector<std::string>{"--color", "velocity"},
                                           std::vector<std::string>{"--skinning", "cpu"},
                                           std::vector<std::string>{"--async-compute", "on"},
                                           std::vector<std::string>{"--palettes", "compact"},
                                           std::vector<std::string>{"--scene", "square", "--unique-poses", "30"}));

TEST_F(CrowdFormats, ShadersThatSkinFetchNoSkinnedVertices) {
  const Outcome outcome = sinew({"crowd", "--skinning", "vertex", "--vertex-fetch", "pulling"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--vertex-fetch cannot be used with --skinning vertex"));
}

}  // namespace
}  // namespace sinew::test
