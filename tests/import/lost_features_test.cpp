// Nothing is lost in silence: each row of the readers' tables has a case whose report has the row's line, once.
#include "lost_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "case_files.h"
#include "must.h"

namespace sinew::test {
namespace {

struct Reader {
  const char* name;
  std::span<const internal::LostFeature> (*table)();
  const char* cases = nullptr;  // a table in tests/import/lost; else there is a folder of the reader's name
  std::string_view unknown{};   // a row of which no file is known
};

std::ostream& operator<<(std::ostream& out, const Reader& reader) { return out << reader.name; }

/// The cases of a reader, by the names of the features. Other files of a feature have other folders.
std::vector<Case> cases_of(const Reader& reader) {
  const std::string folder = SINEW_SOURCE_DIR "/tests/import/lost/";
  if (reader.cases != nullptr) return read_cases(folder + reader.cases);
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder + reader.name)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file()) cases.push_back({name.substr(0, name.find('.')), entry.path().string(), {}, {}, {}});
  }
  return cases;
}

class LostFeaturesTest : public ::testing::TestWithParam<Reader> {};

TEST_P(LostFeaturesTest, EachRowHasAFileWithItsLine) {
  const std::vector<Case> cases = cases_of(GetParam());
  std::set<std::string> rows;
  for (const internal::LostFeature& row : GetParam().table()) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(rows.insert(std::string(row.name)).second) << "two rows have this name";
    if (row.name == GetParam().unknown) continue;
    const auto one = std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.name == row.name; });
    if (one == cases.end()) {
      ADD_FAILURE() << "no case of tests/import/lost has this name";
      continue;
    }
    const TemporaryFolder folder;
    ImportReport report;
    ImportOptions options;
    options.allow_no_mesh = true;
    const Character character = must(load_character(write_case(*one, folder), options, &report));
    const auto has_line = [&](const std::string& warning) {
      return warning.ends_with(": " + std::string(row.line)) && warning.find(row.item) != warning.npos;
    };
    EXPECT_EQ(std::count_if(report.warnings.begin(), report.warnings.end(), has_line), 1)
        << ::testing::PrintToString(report.warnings);
  }
  for (const Case& one : cases) EXPECT_TRUE(rows.contains(one.name)) << one.name << " is of no row of the table";
}

constexpr Reader kReaders[] = {{"collada", internal::lost_features_of_collada, "lost.dae.cases"},
                               {"assimp", internal::lost_features_of_assimp, nullptr, "texture-set"},
                               {"fbx", internal::lost_features_of_fbx, "lost.fbx.cases"},
                               {"gltf", internal::lost_features_of_gltf, "lost.gltf.json"}};

INSTANTIATE_TEST_SUITE_P(Readers, LostFeaturesTest, ::testing::ValuesIn(kReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });

TEST(LostFeatures, ClipFileWithoutAnimationIsNotToldToHaveNoClip) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  const std::string other = SINEW_SOURCE_DIR "/tests/import/lost/assimp/animation.x3d";
  ImportReport report;
  ASSERT_TRUE(load_character(file.write(folder), {{other}}, &report));
  EXPECT_THAT(report.warnings, ::testing::ElementsAre(
                                   ::testing::HasSubstr("animation.x3d': 1 format '.x3d': its animation is not read")));
}

}  // namespace
}  // namespace sinew::test
