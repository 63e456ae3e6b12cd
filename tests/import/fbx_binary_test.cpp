// FBX text and binary files with the same records become the same character: cases of FBX that are read, in all forms.
#include <map>

#include "case_files.h"
#include "fbx_binary.h"
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

/// The texts of cases, by name.
std::map<std::string, std::string> small_fbx_files() {
  const std::string folder = SINEW_SOURCE_DIR "/tests/import/";
  std::map<std::string, std::string> texts;
  for (const Case& one : read_cases(folder + "lost/lost.fbx.cases")) texts[one.name] = one.text;
  for (const Case& one : read_cases(folder + "cases/models.fbx.cases")) {
    if (!one.row.contains("refused")) texts[one.name] = one.text;
  }
  for (const Case& one : folders_of_cases(folder + "cases")) {
    if (one.file.ends_with(".fbx")) texts[one.name] = read_file_text(one.file);
  }
  return texts;
}

class BinaryFbx : public FbxFixture {};

TEST_F(BinaryFbx, IsReadAsTheTextIs) {
  size_t files = 0;
  for (const auto& [name, text] : small_fbx_files()) {
    SCOPED_TRACE(name);
    const Character expected = load(text);
    const std::vector<std::string> warnings = report_.warnings;
    for (const FbxForm& form : kFbxForms) {
      SCOPED_TRACE(form.version);
      const Character actual = load(fbx_binary(text, form));
      EXPECT_EQ(report_.warnings, warnings);
      EXPECT_TRUE(actual == expected);
    }
    ++files;
  }
  EXPECT_GT(files, 15u);
}

}  // namespace
}  // namespace sinew::test
