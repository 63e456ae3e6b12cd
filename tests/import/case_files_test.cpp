// Files of tests/import/cases become what is said beside them, in tables and in folders. See case_files.h.
#include "case_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

#include "posing.h"
#include "sinew/animation/bake.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

bool all_finite(const Posed& posed) {
  const auto finite = [](Vec3 v) { return is_finite(v); };
  return std::all_of(posed.positions.begin(), posed.positions.end(), finite) &&
         std::all_of(posed.normals.begin(), posed.normals.end(), finite);
}

/// The character is valid, its vertices are finite in the rest pose and in every clip, and its bake is valid.
void expect_sound(const Character& character) {
  EXPECT_TRUE(validate(character));
  EXPECT_TRUE(all_finite(pose(character)));
  for (size_t clip = 0; clip < character.clips.size(); ++clip) {
    const Clip& c = character.clips[clip];
    for (const float share : {-1.0f, 0.0f, 0.3f, 1.0f, 2.0f})
      EXPECT_TRUE(all_finite(pose(character, int(clip), c.start_seconds + share * c.duration_seconds()))) << share;
  }
  const auto baked = bake(character);
  if (baked) {
    EXPECT_TRUE(validate(*baked));
    EXPECT_TRUE(validate(*baked, character));
  }
}

void expect_vectors(const Json& expected, const std::vector<Vec3>& actual, float within) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t v = 0; v < actual.size(); ++v) {
    const Vec3 wanted{expected[v][0], expected[v][1], expected[v][2]}, found = actual[v];
    EXPECT_LE(length(found - wanted), within) << "vertex " << v << ": " << found.x << " " << found.y << " " << found.z;
  }
}

void expect_pose(const Character& character, const Json& expected) {
  int clip = -1;
  for (size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name == expected.value("clip", "")) clip = int(i);
  }
  ASSERT_EQ(clip < 0, !expected.contains("clip")) << "there is no clip " << expected["clip"];
  const Posed posed = pose(character, clip, expected.value("seconds", 0.0f));
  const float within = expected.value("within", 1e-5f) * diagonal_of(posed.positions);
  expect_vectors(expected.at("at"), posed.positions, within);
  if (expected.contains("normals")) expect_vectors(expected["normals"], posed.normals, 1e-5f);
}

/// Animation files lie beside the model.
ImportOptions options_of(const Json& row, const std::string& model) {
  ImportOptions options;
  for (const std::string name : row.value("animation_files", Json::array()))
    options.animation_files.push_back(model.substr(0, model.find_last_of("/\\") + 1) + name);
  const Json said = row.value("options", Json::object());
  options.max_influences = said.value("max_influences", 0u);
  options.tangents = said.value("tangents", false);
  options.normal_map_tangents = said.value("normal_map_tangents", false);
  options.images = said.value("images", true);
  options.ticks_per_second = said.value("ticks_per_second", 0.0);
  options.allow_no_mesh = said.value("allow_no_mesh", false);
  return options;
}

/// One line, which names the file and says why.
void expect_refusal(const Error& error, const std::string& path, const Json& row) {
  static const char* const kCodes[] = {"argument", "not found", "unreadable", "invalid", "unsupported", "memory"};
  EXPECT_EQ(kCodes[size_t(error.code)], row.value("code", "invalid")) << error.message;
  EXPECT_THAT(error.message, HasSubstr("'" + path + "'"));
  EXPECT_THAT(error.message, ::testing::Not(HasSubstr("\n")));
  EXPECT_LT(error.message.size(), 1000u);
  const Json parts = row["refused"].is_array() ? row["refused"] : Json::array({row["refused"]});
  for (const std::string part : parts) EXPECT_THAT(error.message, HasSubstr(part));
}

void check(const Case& one, bool is_binary) {
  SCOPED_TRACE(one.name + (is_binary ? ", binary" : ""));
  const Json& row = one.row;
  const TemporaryFolder folder;
  const std::string path = write_case(one, folder, is_binary);
  const ImportOptions options = options_of(row, path);
  ImportReport report;
  // In a thread of its own: a decoder of images keeps the reason of an earlier failure for each thread.
  const auto load = [&] { return load_character(path, options, &report); };
  const Result<Character> character = std::async(std::launch::async, load).get();
  if (row.contains("refused")) {
    ASSERT_FALSE(character) << "it is read";
    // Where there are animation files, these are what is refused.
    return expect_refusal(character.error(), options.animation_files.empty() ? path : options.animation_files[0], row);
  }
  ASSERT_TRUE(character) << character.error().message;
  expect_sound(*character);
  EXPECT_EQ(mismatch(row.value("warnings", Json::array()), report.warnings, 0, "warnings"), "");
  const Json facts = facts_of(*character, report);
  for (const auto& [key, value] : row.items()) {
    static const std::set<std::string> kOthers = {"name",  "needs_case",      "base",    "set",      "then", "file",
                                                  "files", "animation_files", "options", "warnings", "poses"};
    EXPECT_TRUE(facts.contains(key) || kOthers.contains(key)) << key;
    EXPECT_EQ(facts.contains(key) ? mismatch(value, facts[key], 1e-5, key) : "", "");
  }
  for (const Json& expected : row.value("poses", Json::array())) {
    SCOPED_TRACE(expected.dump().substr(0, 60));
    expect_pose(*character, expected);
  }
}

/// glTF is read as text and as GLB, unless the case says itself where its buffers are.
void check(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& one : cases) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name << " twice";
    if (one.row.contains("needs_case") && ignores_case()) continue;
    check(one, false);
    if (one.gltf && !one.gltf->json.contains("buffers") && one.file == "model.gltf") check(one, true);
  }
}

const std::string kCases = SINEW_SOURCE_DIR "/tests/import/cases/";

TEST(CaseFiles, BecomeWhatTheirJsonSays) { check(folders_of_cases(kCases)); }

class CaseTable : public ::testing::TestWithParam<const char*> {};

TEST_P(CaseTable, BecomesWhatItsRowsSay) { check(read_cases(kCases + GetParam())); }

constexpr const char* kTables[] = {
    "arm.x.cases",      "clips.x.cases",       "collada.dae.cases",  "gltf_damaged.json",
    "gltf_images.json", "gltf_materials.json", "gltf_meshes.json",   "gltf_morph.json",
    "gltf_motion.json", "gltf_odd.json",       "gltf_skins.json",    "materials.fbx.cases",
    "models.fbx.cases", "moving.x.cases",      "repaired.dae.cases", "surfaces.obj.cases"};

INSTANTIATE_TEST_SUITE_P(Import, CaseTable, ::testing::ValuesIn(kTables), [](const auto& table) {
  const std::string name = table.param;
  return name.substr(0, name.find('.'));
});

TEST(CaseTables, AreAllTested) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kCases)) {
    if (entry.is_regular_file()) found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, std::set<std::string>(std::begin(kTables), std::end(kTables)));
}

}  // namespace
}  // namespace sinew::test
