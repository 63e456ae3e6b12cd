// The library in a host whose locale writes 37,5 for 37.5: files are read alike, and messages are the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "asset/plain_text.h"
#include "asset/read_number.h"
#include "files.h"
#include "sinew/animation/bake.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

/// A locale of numbers with commas, compiled by the C library's own program: no package of locales is needed.
class CommaLocale : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string source =
        folder_.write("source", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    const std::string command = "localedef -c -i " + source + " " + folder_.path("comma") + " >/dev/null 2>&1";
    const int ignored = std::system(command.c_str());  // it warns of categories that are missing
    (void)ignored;
    setenv("LOCPATH", folder_.path("").c_str(), 1);
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }

  static bool set_commas() { return std::setlocale(LC_ALL, "comma") != nullptr && std::strtod("1,5", nullptr) == 1.5; }

  test::TemporaryFolder folder_;
};

#define SKIP_WITHOUT_COMMAS() \
  if (!set_commas()) GTEST_SKIP() << "NO localedef: A LOCALE WITH COMMAS WAS NOT TESTED"

/// The character and the report of a file as bytes, or the error.
std::string import_of(const std::string& path) {
  ImportReport report;
  const Result<Character> character = load_character(path, {}, &report);
  if (!character) return character.error().message;
  const auto bytes = encode_character({*character, {}, report});
  return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : bytes.error().message;
}

TEST_F(CommaLocale, TheTestsOwnToolsFollowIt) {
  SKIP_WITHOUT_COMMAS();
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", 1.5);
  EXPECT_STREQ(text, "1,5");
  EXPECT_EQ(std::to_string(1.5), "1,500000");
}

TEST_F(CommaLocale, NumbersOfTheLibraryHavePoints) {
  SKIP_WITHOUT_COMMAS();
  EXPECT_EQ(decimal(1.5), "1.500000");
  EXPECT_EQ(decimal(-1e20), "-100000000000000000000.000000");
  EXPECT_EQ(internal::number_text(1234567.25, 10), "1234567.25");
}

TEST_F(CommaLocale, NumbersAreReadWithPoints) {  // by what macOS reads with, too
  SKIP_WITHOUT_COMMAS();
  const std::string text = "-1.5,5";
  double value = 0, on_macos = 0;
  EXPECT_EQ(read_number(text.data(), text.data() + text.size(), value).ptr, text.data() + 4);
  EXPECT_EQ(internal::read_real_number(text.data(), text.data() + text.size(), on_macos).ptr, text.data() + 4);
  EXPECT_EQ(value, -1.5);
  EXPECT_EQ(on_macos, -1.5);
}

TEST_F(CommaLocale, FilesAreReadAsElsewhere) {
  const std::string triangle = "v 0.25 0 0\nv 1.5 0 0\nv 0 1.125 0\nf 1 2 3\n";
  std::vector<std::string> files = {SINEW_SOURCE_DIR "/assets/character.glb", SINEW_SOURCE_DIR "/assets/character.fbx",
                                    folder_.write("triangle.obj", triangle)};
  for (const char* name : {"f27_inactive_prerotation.fbx", "f03_full_turn.fbx", "d04_maya_components.dae",
                           "d01_bind_shape_matrix.dae", "g01_skinned_not_root.gltf", "g08_root_transform.gltf"}) {
    const std::string path = std::string(SINEW_SHARED_DIR "/cases/") + name;
    if (std::filesystem::exists(path)) files.push_back(path);
  }
  std::vector<std::string> elsewhere;
  for (const std::string& file : files) elsewhere.push_back(import_of(file));
  SKIP_WITHOUT_COMMAS();
  for (size_t i = 0; i < files.size(); ++i) {
    EXPECT_GT(elsewhere[i].size(), 400u) << elsewhere[i];
    EXPECT_TRUE(import_of(files[i]) == elsewhere[i]) << files[i];
  }
}

TEST_F(CommaLocale, ErrorsHavePoints) {
  Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character);
  character->clips.resize(1);
  SKIP_WITHOUT_COMMAS();
  const auto baked = bake(*character, {.min_frames_per_second = 1e6f / 3, .max_frames_per_second = 1e6f});
  ASSERT_FALSE(baked);
  EXPECT_THAT(baked.error().message, ::testing::HasSubstr("of 1.600000024 s makes it"));
}

}  // namespace
}  // namespace sinew
