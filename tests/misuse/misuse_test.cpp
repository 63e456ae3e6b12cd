// The table in docs/misuse.md is what really happens.
#include "misuse/misuse.h"

#include <gtest/gtest.h>

#include "files.h"
#include "vulkan/without_device.h"

namespace sinew::test {
namespace {

/// Every mistake has its row in the page, in the section `heading`, and there is no other row.
void expect_rows(const std::string& heading, const std::vector<Misuse>& misuses) {
  std::string rows = "| mistake | what you get |\n|---|---|\n";
  for (const Misuse& misuse : misuses) rows += "| " + misuse.what + " | " + misuse.gets + " |\n";
  const std::string text = read_file_text(SINEW_SOURCE_DIR "/docs/misuse.md");
  const size_t begin = text.find("## " + heading + "\n");
  const size_t table = text.find("| mistake", begin), end = text.find("\n\n", table);
  ASSERT_NE(begin, std::string::npos) << heading;
  const std::string written = table == std::string::npos ? "" : text.substr(table, end - table) + "\n";
  EXPECT_TRUE(written == rows) << "docs/misuse.md, section " << heading << ", must be:\n" << rows;
  std::printf("%s: %zu mistakes\n", heading.c_str(), misuses.size());
}

TEST(Misuse, OfResultsEvaluatorsAndPlayersGetsWhatThePageSays) {
  expect_rows("Results, evaluators and players", animation_misuses());
}

TEST(Misuse, OfACrowdGetsWhatThePageSays) { expect_rows("Crowds", crowd_misuses()); }

TEST(Misuse, OfAccelerationStructuresGetsWhatThePageSays) { expect_rows("Acceleration structures", rays_misuses()); }

void expect_rows_with_device(const std::string& heading, std::vector<Misuse> (*make)(std::string&)) {
  std::string why_not;
  const std::vector<Misuse> misuses = make(why_not);
  if (misuses.empty()) return end_without_device(why_not);
  expect_rows(heading, misuses);
}

TEST(Misuse, OfCreationGetsWhatThePageSays) { expect_rows_with_device("Creating a skinner", creation_misuses); }
TEST(Misuse, OfMeshesGetsWhatThePageSays) { expect_rows_with_device("Meshes", mesh_misuses); }
TEST(Misuse, OfFramesGetsWhatThePageSays) { expect_rows_with_device("Frames", frame_misuses); }
TEST(Misuse, OfASkinnedCrowdGetsWhatThePageSays) {
  expect_rows_with_device("Crowds with models", skinned_crowd_misuses);
}

}  // namespace
}  // namespace sinew::test
