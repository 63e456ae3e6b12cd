// FBX text and binary files with the same records become the same character: all cases of FBX, in all forms.
#include <fstream>
#include <iterator>
#include <map>

#include "case_files.h"
#include "fbx_binary.h"
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

/// The texts of all cases of FBX, by name.
std::map<std::string, std::string> small_fbx_files() {
  const std::string folder = SINEW_SOURCE_DIR "/tests/import/";
  std::map<std::string, std::string> texts;
  for (const Case& one : read_cases(folder + "lost/lost.fbx.cases")) texts[one.name] = one.text;
  for (const Case& one : folders_of_cases(folder + "cases")) {
    std::ifstream file(one.file, std::ios::binary);
    if (one.file.ends_with(".fbx")) texts[one.name] = {std::istreambuf_iterator<char>(file), {}};
  }
  return texts;
}

class BinaryFbx : public FbxFixture, public ::testing::WithParamInterface<FbxForm> {};

TEST_P(BinaryFbx, IsReadAsTheTextIs) {
  size_t files = 0;
  for (const auto& [name, text] : small_fbx_files()) {
    SCOPED_TRACE(name);
    const Character expected = load(text);
    const std::vector<std::string> warnings = report_.warnings;
    const Character actual = load(fbx_binary(text, GetParam()));
    EXPECT_EQ(report_.warnings, warnings);
    EXPECT_TRUE(actual == expected);
    ++files;
  }
  EXPECT_GT(files, 15u);
}

INSTANTIATE_TEST_SUITE_P(Forms, BinaryFbx,
                         ::testing::Values(FbxForm{7400, false, false}, FbxForm{7400, true, true},
                                           FbxForm{7500, false, true}, FbxForm{7700, true, false}),
                         [](const auto& one) {
                           return std::to_string(one.param.version) + (one.param.swap ? "Swapped" : "") +
                                  (one.param.compress ? "Compressed" : "");
                         });

}  // namespace
}  // namespace sinew::test
