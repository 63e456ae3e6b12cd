// Files are written completely or not at all.
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

TEST(WriteFile, LeavesNoTemporaryFile) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("a"), "old"));
  ASSERT_TRUE(write_file(folder.path("a"), std::string("new\0one", 7)));
  EXPECT_EQ(read(folder.path("a")), std::string("new\0one", 7));
  EXPECT_THAT(folder.files(), ElementsAre("a"));
}

TEST(WriteFile, GivesANewFileTheModeOfTheUmask) {
  const Folder folder;
  const mode_t mask = umask(022);
  ASSERT_TRUE(write_file(folder.path("a"), "x"));
  umask(mask);
  struct stat info {};
  stat(folder.path("a").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  stat(path.c_str(), &info);
  return info.st_mode & 0777;
}

TEST(WriteFile, KeepsTheModeOfAReplacedFile) {
  const Folder folder;
  const mode_t mask = umask(022);
  for (const mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    ASSERT_TRUE(write_file(folder.path("a"), "old"));
    chmod(folder.path("a").c_str(), mode);
    EXPECT_TRUE(write_file(folder.path("a"), "new"));
    EXPECT_EQ(mode_of(folder.path("a")), mode);
    EXPECT_EQ(read(folder.path("a")), "new");
  }
  umask(mask);
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

TEST(WriteFile, SymbolicLinkIsKept) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("real"), "old"));
  ASSERT_EQ(symlink("real", folder.path("link").c_str()), 0);
  ASSERT_TRUE(write_file(folder.path("link"), "new"));
  EXPECT_EQ(read(folder.path("real")), "new");
  EXPECT_THAT(folder.files(), ElementsAre("link", "real"));
  struct stat info {};
  lstat(folder.path("link").c_str(), &info);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
}

TEST(WriteFile, DanglingLinkCreatesItsTarget) {
  const Folder folder;
  ASSERT_EQ(symlink("real", folder.path("link").c_str()), 0);
  ASSERT_TRUE(write_file(folder.path("link"), "new"));
  EXPECT_EQ(read(folder.path("real")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_THAT(folder.files(), ElementsAre("link", "real"));
}

TEST(WriteFile, LinkToItselfIsRefused) {
  const Folder folder;
  ASSERT_EQ(symlink("link", folder.path("link").c_str()), 0);
  EXPECT_FALSE(write_file(folder.path("link"), "new"));
  EXPECT_THAT(folder.files(), ElementsAre("link"));
}

TEST(WriteFile, FullDeviceIsAnError) {
  EXPECT_THAT(must_fail(write_file("/dev/full", "x")).message, HasSubstr("/dev/full"));
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

TEST(WriteFile, CheckWritableFindsErrorsBeforehand) {
  const Folder folder;
  mkdir(folder.path("folder").c_str(), 0700);
  EXPECT_TRUE(check_writable(folder.path("a")));
  EXPECT_FALSE(check_writable(folder.path("folder")));
  EXPECT_FALSE(check_writable(folder.path("no/a")));
  EXPECT_FALSE(check_writable(""));
  EXPECT_THAT(folder.files(), ElementsAre("folder"));
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
