// Files by the system's own calls: names in UTF-8, bytes as they are, replacing.
#include "asset/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace sinew {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// A temporary folder with a name beyond ASCII. The destructor removes it with its files.
class FileTest : public testing::Test {
 protected:
  FileTest() { fs::create_directory(folder_); }
  ~FileTest() override {
    std::error_code failed;
    fs::remove_all(folder_, failed);
  }
  std::string path(const char8_t* name) const {
    const std::u8string utf8 = (folder_ / name).u8string();
    return {utf8.begin(), utf8.end()};
  }
  size_t file_count() const { return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

 private:
  fs::path folder_ = fs::temp_directory_path() / fs::path(u8"sinew-gr\u00fcn-" + number());

  static std::u8string number() {
    const std::string digits = std::to_string(std::random_device()());
    return {digits.begin(), digits.end()};
  }
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
  const std::string name = path(u8"\u8d70\u308b.sinew");
  ASSERT_TRUE(write(name, text));
  EXPECT_EQ(read(name), text);
  EXPECT_TRUE(check_readable(name));
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(FileTest, ReplacesTheWholeFileAndLeavesNoTemporaryFile) {
  const std::string name = path(u8"a.sinew");
  ASSERT_TRUE(write(name, "a long first version"));
  ASSERT_TRUE(write(name, "second"));
  EXPECT_EQ(read(name), "second");
  EXPECT_EQ(file_count(), 1u);
}

#ifdef _WIN32
TEST_F(FileTest, LeavesNoTemporaryFileIfTheTargetIsInUse) {
  const std::string name = path(u8"a.sinew");
  ASSERT_TRUE(write(name, "first"));
  {
    const std::ifstream reader(fs::path(std::u8string(name.begin(), name.end())));  // shares no renaming
    ASSERT_TRUE(reader.is_open());
    EXPECT_FALSE(write(name, "second"));
  }
  EXPECT_EQ(read(name), "first");
  EXPECT_EQ(file_count(), 1u);
}
#endif

TEST_F(FileTest, NamesWhatIsWrong) {
  EXPECT_EQ(read(path(u8"absent")), "error: no such file");
  EXPECT_EQ(read(path(u8"absent/a")), "error: no such file");
  EXPECT_EQ(read(path(u8"")), "error: it is a directory");
  ASSERT_TRUE(write(path(u8"empty"), ""));
  EXPECT_EQ(read(path(u8"empty")), "error: the file is empty");
  EXPECT_FALSE(check_writable(path(u8"")));
  EXPECT_FALSE(check_writable(path(u8"absent/a")));
  EXPECT_FALSE(write(path(u8"absent/a"), "text"));
  EXPECT_FALSE(check_writable(""));
}

}  // namespace
}  // namespace sinew
