// Files by the system's own calls: names in UTF-8, bytes as they are, replacing.
#include "asset/file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "files.h"

namespace sinew {

using namespace internal;

namespace {

/// A folder with a name beyond ASCII.
struct FileTest : testing::Test {
  const test::TemporaryFolder folder{u8"gr\u00fcn_"};
};

Status write(const std::string& path, const std::string& text) {
  return write_file(path, std::as_bytes(std::span(text)));
}
std::string read(const std::string& path) {
  const Result<FileBytes> file = read_file(path);
  if (!file) return "error: " + file.error().message;
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

TEST_F(FileTest, KeepsEveryByteUnderANameBeyondAscii) {
  const std::string text("a\r\nb\n\x1a\0end", 10);  // a text mode would change line ends, and stop at 0x1a
  const std::string name = folder.path("\u8d70\u308b.sinew");
  ASSERT_TRUE(write(name, text));
  EXPECT_EQ(read(name), text);
  EXPECT_TRUE(check_readable(name));
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST_F(FileTest, ReplacesTheWholeFileAndLeavesNoTemporaryFile) {
  const std::string name = folder.path("a.sinew");
  ASSERT_TRUE(write(name, "a long first version"));
  ASSERT_TRUE(write(name, "second"));
  EXPECT_EQ(read(name), "second");
  EXPECT_EQ(folder.file_count(), 1u);
}

#ifdef _WIN32
TEST_F(FileTest, LeavesNoTemporaryFileIfTheTargetIsInUse) {
  const std::string name = folder.path("a.sinew");
  ASSERT_TRUE(write(name, "first"));
  {
    const std::ifstream reader(test::to_path(name));  // shares no renaming
    ASSERT_TRUE(reader.is_open());
    EXPECT_FALSE(write(name, "second"));
  }
  EXPECT_EQ(read(name), "first");
  EXPECT_EQ(folder.file_count(), 1u);
}
#endif

TEST_F(FileTest, NamesWhatIsWrong) {
  EXPECT_EQ(read(folder.path("absent")), "error: no such file");
  EXPECT_EQ(read(folder.path("absent/a")), "error: no such file");
  EXPECT_EQ(read(folder.path("")), "error: it is a directory");
  ASSERT_TRUE(write(folder.path("empty"), ""));
  EXPECT_EQ(read(folder.path("empty")), "error: the file is empty");
  EXPECT_FALSE(check_writable(folder.path("")));
  EXPECT_FALSE(check_writable(folder.path("absent/a")));
  EXPECT_FALSE(write(folder.path("absent/a"), "text"));
  EXPECT_FALSE(check_writable(""));
}

}  // namespace
}  // namespace sinew
