// Nothing is lost in silence: each row of the readers' tables has a file whose report has the row's line, once.
#include "lost_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sinew/import/import.h"

namespace sinew::test {
namespace {

struct Reader {
  const char* name;  // the folder below tests/import/lost
  std::span<const internal::LostFeature> (*table)();
};

std::ostream& operator<<(std::ostream& out, const Reader& reader) { return out << reader.name; }

/// The files in the folder of a reader, by the name without extensions. Other files of a feature have other folders.
std::set<std::string> files_of(const Reader& reader) {
  std::set<std::string> files;
  std::error_code absent;
  const std::string folder = std::string(SINEW_SOURCE_DIR) + "/tests/import/lost/" + reader.name;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent)) {
    if (entry.is_regular_file()) files.insert(entry.path().string());
  }
  return files;
}

std::string feature_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

class LostFeaturesTest : public ::testing::TestWithParam<Reader> {};

TEST_P(LostFeaturesTest, EachRowHasAFileWithItsLine) {
  const std::set<std::string> files = files_of(GetParam());
  std::set<std::string> rows;
  for (const internal::LostFeature& row : GetParam().table()) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(rows.insert(std::string(row.name)).second) << "two rows have this name";
    const auto is_of_row = [&](const std::string& path) { return feature_of(path) == row.name; };
    const auto file = std::find_if(files.begin(), files.end(), is_of_row);
    if (file == files.end()) {
      ADD_FAILURE() << "there is no tests/import/lost/" << GetParam().name << "/" << row.name << ".*";
      continue;
    }
    ImportReport report;
    ImportOptions options;
    options.allow_no_mesh = true;
    const Result<Character> character = load_character(*file, options, &report);
    ASSERT_TRUE(character) << character.error().message;
    const auto has_line = [&](const std::string& warning) {
      return warning.ends_with(": " + std::string(row.line)) && warning.find(row.item) != warning.npos;
    };
    EXPECT_EQ(std::count_if(report.warnings.begin(), report.warnings.end(), has_line), 1)
        << ::testing::PrintToString(report.warnings);
  }
  for (const std::string& path : files) {
    EXPECT_TRUE(rows.contains(feature_of(path))) << path << " is of no row of the table";
  }
}

constexpr Reader kReaders[] = {{"collada", internal::lost_features_of_collada},
                               {"assimp", internal::lost_features_of_assimp},
                               {"fbx", internal::lost_features_of_fbx},
                               {"gltf", internal::lost_features_of_gltf}};

INSTANTIATE_TEST_SUITE_P(Readers, LostFeaturesTest, ::testing::ValuesIn(kReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });

TEST(LostFeatures, CountsItemsAndNamesTheFirst) {
  constexpr internal::LostFeature kTable[] = {{"a", "layer", "it is lost"}, {"b", "node", "it is drawn"}};
  internal::LostFeatures lost(kTable);
  lost.add(1, "x");
  lost.add(0, "y"), lost.add(0, "z");
  std::vector<std::string> warnings;
  lost.append_to(warnings, internal::LostFrom::kLooks);
  EXPECT_EQ(warnings, (std::vector<std::string>{"2 layers ('y' the first): it is lost", "1 node 'x': it is drawn"}));
}

}  // namespace
}  // namespace sinew::test
