// Kept files: read again, and made again where they are damaged, renamed or cut off.
#include "system/cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "cache_folder.h"
#include "child.h"

namespace sinew::app {
namespace {

std::vector<std::byte> bytes_of(size_t count) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = std::byte(i * 7);
  return bytes;
}

TEST(Cache, ReadsWhatItKept) {
  const test::CacheFolder folder;
  for (const size_t size : {0, 1, 8, 1000}) {
    keep("thing-1", bytes_of(size));
    EXPECT_EQ(read_kept("thing-1"), bytes_of(size));
  }
  EXPECT_FALSE(read_kept("thing-2"));
  EXPECT_EQ(folder.files().size(), 1u) << "no temporary file remains";
}

TEST(Cache, LeavesOutWhatIsDamaged) {
  const test::CacheFolder folder;
  keep("thing-1", bytes_of(100));
  const std::string path = folder.path("thing-1"), whole = test::read(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ 1);
    test::write(path, damaged);
    EXPECT_FALSE(read_kept("thing-1")) << "byte " << i;
    test::write(path, whole.substr(0, i));
    EXPECT_FALSE(read_kept("thing-1")) << i << " bytes";
  }
  test::write(path, whole + "x");
  EXPECT_FALSE(read_kept("thing-1"));
  test::write(folder.path("thing-2"), whole);
  EXPECT_FALSE(read_kept("thing-2")) << "it is of another name";
  keep("thing-1", bytes_of(100));
  EXPECT_TRUE(read_kept("thing-1"));
}

TEST(Cache, IsOffWhereItIsAskedFor) {
  const test::CacheFolder folder;
  keep("thing-1", bytes_of(10));
  setenv("SINEW_CACHE", "off", 1);
  EXPECT_FALSE(read_kept("thing-1"));
  keep("thing-2", bytes_of(10));
  unsetenv("SINEW_CACHE");
  EXPECT_TRUE(read_kept("thing-1"));
  EXPECT_FALSE(read_kept("thing-2"));
}

TEST(Cache, TakesAbsolutePathsOnly) {
  test::CacheFolder folder;
  setenv("XDG_CACHE_HOME", "here", 1);
  EXPECT_FALSE(cache_folder().string().starts_with("here"));
}

TEST(Cache, RemovesTheOldest) {
  const test::CacheFolder folder;
  for (const char* name : {"a-3", "a-1", "a-2", "b-1"}) keep(name, bytes_of(3));
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 1; i <= 3; ++i)
    std::filesystem::last_write_time(folder.path("a-" + std::to_string(i)), now - std::chrono::hours(9 - i));
  remove_oldest(cache_folder(), "a", 2);
  EXPECT_FALSE(read_kept("a-1"));
  EXPECT_TRUE(read_kept("a-2") && read_kept("a-3") && read_kept("b-1"));
}

}  // namespace
}  // namespace sinew::app
