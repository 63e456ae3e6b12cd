// Each feature that the reader of FBX does not keep has a small file, whose report has its line exactly once.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "lost_features.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

TEST(FbxLostTest, EachFeatureIsToldOfOnce) {
  const std::string folder = std::string(SINEW_SOURCE_DIR) + "/tests/import/lost/fbx/";
  size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, internal::lost_features_of_fbx().size()) << "a file for each row, and a row for each file";
  for (const internal::LostFeature& feature : internal::lost_features_of_fbx()) {
    SCOPED_TRACE(feature.name);
    ImportReport report;
    const Result<Character> character = load_character(folder + std::string(feature.name) + ".fbx", {}, &report);
    ASSERT_TRUE(character) << character.error().message;
    const auto has_line = [&](const std::string& warning) { return warning.find(feature.line) != warning.npos; };
    EXPECT_EQ(std::count_if(report.warnings.begin(), report.warnings.end(), has_line), 1);
    EXPECT_EQ(report.warnings.size(), 1u) << ::testing::PrintToString(report.warnings);
  }
}

}  // namespace
}  // namespace sinew::test
