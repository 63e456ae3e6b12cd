// Numbered PNG files in a folder: all of them are written, or nothing is left.
#include "record/movie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "child.h"
#include "picture.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Frame = std::vector<uint8_t>;

std::vector<Frame> numbered_frames(size_t count, size_t size_bytes) {
  std::vector<Frame> frames;
  for (size_t i = 0; i < count; ++i) frames.emplace_back(size_bytes, uint8_t(i));
  return frames;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(PngFolder, IsCreatedAndHasEachFrame) {
  const Folder folder;
  const std::vector<Frame> frames = numbered_frames(3, 5 * 2 * 4);
  const Status written = write_png_folder(folder.path("out/"), frames, 5, 2);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(names_in(folder.path("out")), ElementsAre("0001.png", "0002.png", "0003.png"));
  for (size_t i = 0; i < 3; ++i) {
    const test::Picture picture = test::read_png(folder.path("out/000" + std::to_string(i + 1) + ".png"));
    EXPECT_EQ(picture.width, 5);
    EXPECT_EQ(picture.rgba, frames[i]);
  }
}

TEST(PngFolder, NumbersHaveAsManyDigitsAsTheLastOne) {
  const Folder folder;
  ASSERT_TRUE(write_png_folder(folder.path("out"), numbered_frames(10000, 4), 1, 1));
  const std::vector<std::string> names = names_in(folder.path("out"));
  ASSERT_EQ(names.size(), 10000u);
  EXPECT_EQ(names.front(), "00001.png");
  EXPECT_EQ(names.back(), "10000.png");
}

TEST(PngFolder, OtherFilesStay) {
  const Folder folder;
  test::write(folder.path("notes"), "x");
  test::write(folder.path("0002.png"), "old");
  ASSERT_TRUE(write_png_folder(folder.path("."), numbered_frames(2, 4), 1, 1));
  EXPECT_THAT(folder.files(), ElementsAre("0001.png", "0002.png", "notes"));
  EXPECT_EQ(test::read_png(folder.path("0002.png")).rgba, Frame(4, 1));
}

TEST(PngFolder, FailureRemovesWhatWasWritten) {
  const Folder folder;
  std::vector<Frame> frames = numbered_frames(3, 5 * 2 * 4);
  frames[2].pop_back();
  const Status status = write_png_folder(folder.path("new"), frames, 5, 2);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("new/0003.png"));
  EXPECT_FALSE(fs::exists(folder.path("new")));
  fs::create_directory(folder.path("old"));
  test::write(folder.path("old/notes"), "x");
  EXPECT_FALSE(write_png_folder(folder.path("old"), frames, 5, 2));
  EXPECT_THAT(names_in(folder.path("old")), ElementsAre("notes"));
}

TEST(PngFolder, ThatCannotBeCreatedIsAnError) {
  const Folder folder;
  test::write(folder.path("file"), "x");
  for (const std::string path : {"file/", "file/out", "no/out"}) {
    EXPECT_FALSE(check_folder_writable(folder.path(path))) << path;
    const Status status = write_png_folder(folder.path(path), numbered_frames(1, 4), 1, 1);
    ASSERT_FALSE(status) << path;
    EXPECT_THAT(status.error().message, HasSubstr(folder.path(path)));
  }
  EXPECT_THAT(folder.files(), ElementsAre("file"));
}

TEST(PngFolder, CheckCreatesNothing) {
  const Folder folder;
  EXPECT_TRUE(check_folder_writable(folder.path("out/")));
  EXPECT_TRUE(check_folder_writable(folder.path("out")));
  EXPECT_TRUE(check_folder_writable(folder.path(".")));
  EXPECT_TRUE(folder.files().empty());
}

TEST(PngFolder, IsNamedByASlashOrByAFolderThatIsThere) {
  const Folder folder;
  fs::create_directory(folder.path("there"));
  EXPECT_TRUE(names_folder("out/"));
  EXPECT_TRUE(names_folder(folder.path("there")));
  EXPECT_FALSE(names_folder(folder.path("there.png")));
  EXPECT_FALSE(names_folder(""));
}

}  // namespace
}  // namespace sinew::app
