// Files of tests/import/cases become what the JSON beside them says. Each case is a folder with model.* as a person
// would write it, and expect.json:
//
//   refused          part of the message of the refusal; nothing else is said then
//   warnings         all lines of the report; absent: there are none
//   clips            names, and lengths in seconds
//   joints, targets  names
//   meters_per_unit
//   positions        a list of: "clip" and "seconds", or the rest pose without; "at": the vertices in their order;
//                    "within": a share of the diagonal, 1e-5 if it is absent
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

std::string model_of(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().stem() == "model") return entry.path().string();
  }
  return folder + "/model";
}

void expect_positions(const Character& character, const nlohmann::json& expected) {
  int clip = -1;
  const std::string name = expected.value("clip", "");
  for (size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name == name) clip = int(i);
  }
  ASSERT_EQ(clip < 0, name.empty()) << "there is no clip " << name;
  const std::vector<Vec3> actual = pose(character, clip, expected.value("seconds", 0.0f)).positions;
  const auto at = expected.at("at").get<std::vector<std::array<float, 3>>>();
  ASSERT_EQ(actual.size(), at.size());
  for (size_t v = 0; v < at.size(); ++v) {
    const float distance = length(actual[v] - Vec3{at[v][0], at[v][1], at[v][2]});
    EXPECT_LE(distance, expected.value("within", 1e-5f) * diagonal_of(actual))
        << "vertex " << v << ": " << actual[v].x << " " << actual[v].y << " " << actual[v].z;
  }
}

void check_case(const std::string& folder) {
  std::ifstream file(folder + "/expect.json");
  const nlohmann::json expected = nlohmann::json::parse(file);
  ImportReport report;
  const Result<Character> character = load_character(model_of(folder), {}, &report);
  if (expected.contains("refused")) {
    ASSERT_FALSE(character);
    EXPECT_THAT(character.error().message, ::testing::HasSubstr(expected.at("refused").get<std::string>()));
    return;
  }
  ASSERT_TRUE(character) << character.error().message;
  using Names = std::vector<std::string>;
  EXPECT_EQ(report.warnings, expected.value("warnings", Names()));
  std::map<std::string, float> clips;
  Names targets;
  for (const Clip& clip : character->clips) clips[clip.name] = clip.end_seconds;
  for (const MorphTarget& target : character->mesh.targets) targets.push_back(target.name);
  EXPECT_EQ(character->skeleton.joint_names, expected.value("joints", character->skeleton.joint_names));
  EXPECT_EQ(clips, expected.value("clips", clips));
  EXPECT_EQ(targets, expected.value("targets", targets));
  EXPECT_FLOAT_EQ(character->space.meters_per_unit,
                  expected.value("meters_per_unit", character->space.meters_per_unit));
  for (const nlohmann::json& positions : expected.value("positions", nlohmann::json::array())) {
    SCOPED_TRACE(positions.dump().substr(0, 60));
    expect_positions(*character, positions);
  }
}

TEST(CaseFiles, BecomeWhatTheirJsonSays) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(SINEW_SOURCE_DIR) + "/tests/import/cases")) {
    SCOPED_TRACE(entry.path().filename().string());
    check_case(entry.path().string());
  }
}

}  // namespace
}  // namespace sinew::test
