// Files are written completely or not at all. Their bytes and names: tests/asset/file_test.cpp.
#include "system/output.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "child.h"
#include "picture.h"

namespace sinew::app {
namespace {

using test::Folder;
using test::read;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

mode_t mode_of(const std::string& path) {
  struct stat info {};
  stat(path.c_str(), &info);
  return info.st_mode & 0777;
}

TEST(WriteFile, GivesANewFileTheModeOfTheUmaskAndKeepsThatOfAReplacedFile) {
  const Folder folder;
  const std::string path = folder.path("a");
  const mode_t mask = umask(022);
  EXPECT_TRUE(write_file(path, "old"));
  EXPECT_EQ(mode_of(path), 0644u);
  for (const mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    chmod(path.c_str(), mode);
    EXPECT_TRUE(write_file(path, "new"));
    EXPECT_EQ(mode_of(path), mode);
  }
  umask(mask);
  EXPECT_EQ(read(path), "new");
}

TEST(WriteFile, FailureKeepsTheOldFileAndLeavesNoTemporaryFile) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("a"), "old"));
  const rlimit small{10, RLIM_INFINITY};  // a disk that is full after ten bytes
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = write_file(folder.path("a"), "longer than ten bytes");
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(must_fail(status).message, HasSubstr(folder.path("a")));
  EXPECT_EQ(read(folder.path("a")), "old");
  EXPECT_THAT(folder.files(), ElementsAre("a"));
}

/// Whether their targets are there or not. One to itself is refused.
TEST(WriteFile, SymbolicLinksAreKept) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("old"), "old"));
  for (const auto& [name, target] : {std::pair("to old", "old"), {"to new", "new"}, {"to itself", "to itself"}}) {
    const std::string link = folder.path(name);
    ASSERT_EQ(symlink(target, link.c_str()), 0);
    EXPECT_EQ(bool(write_file(link, "text")), link != folder.path(target)) << name;
    EXPECT_TRUE(std::filesystem::is_symlink(link)) << name;
  }
  EXPECT_EQ(read(folder.path("old")), "text");
  EXPECT_EQ(read(folder.path("new")), "text");
  EXPECT_THAT(folder.files(), ElementsAre("new", "old", "to itself", "to new", "to old"));
}

TEST(WriteFile, PipeIsWrittenToAndNotReplaced) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(folder.path("pipe"), "x"));
  char byte = 0;
  EXPECT_EQ(::read(reader, &byte, 1), 1);
  close(reader);
  EXPECT_EQ(byte, 'x');
  EXPECT_THAT(folder.files(), ElementsAre("pipe"));
}

TEST(WritePng, KeepsEveryPixel) {
  const Folder folder;
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 3 * 2 * 4; ++i) pixels.push_back(uint8_t(i * 10));
  ASSERT_TRUE(write_png(folder.path("a.png"), 3, 2, pixels));
  const test::Picture picture = test::read_png(folder.path("a.png"));
  EXPECT_EQ(picture.width, 3);
  EXPECT_EQ(picture.height, 2);
  EXPECT_EQ(picture.rgba, pixels);
  EXPECT_FALSE(write_png(folder.path("b.png"), 4, 2, pixels)) << "too few pixels";
  EXPECT_THAT(folder.files(), ElementsAre("a.png"));
}

}  // namespace
}  // namespace sinew::app
