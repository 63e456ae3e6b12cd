// Files of a test: a temporary folder, and the text of a file. Names and paths are UTF-8.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::test {

inline std::filesystem::path to_path(std::string_view utf8) { return std::u8string(utf8.begin(), utf8.end()); }
inline std::string from_path(const std::filesystem::path& path) {
  const std::u8string utf8 = path.u8string();
  return {utf8.begin(), utf8.end()};
}

/// An empty folder whose name ends with `infix` and a random number. The destructor removes it with its files.
class TemporaryFolder {
 public:
  TemporaryFolder() : TemporaryFolder(u8"") {}
  explicit TemporaryFolder(const std::u8string& infix) {
    std::random_device numbers;
    do {
      path_ = std::filesystem::temp_directory_path() / (u8"sinew_test_" + infix);
      path_ += std::to_string(numbers());
    } while (!std::filesystem::create_directory(path_));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(std::string_view name) const { return from_path(path_ / to_path(name)); }

  std::string write(std::string_view name, std::string_view contents) const {
    std::ofstream(path_ / to_path(name), std::ios::binary) << contents;
    return path(name);
  }

  /// Names, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(from_path(entry.path().filename()));
    std::ranges::sort(names);
    return names;
  }
  size_t file_count() const { return files().size(); }

 private:
  std::filesystem::path path_;
};

/// Names of the JSON files in a folder, sorted; none where there is no such folder.
inline std::vector<std::string> json_files(std::string_view folder) {
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(to_path(folder), absent)) {
    if (entry.path().extension() == ".json") names.push_back(from_path(entry.path().filename()));
  }
  std::ranges::sort(names);
  return names;
}

/// A file's name as that of a test, which has letters, digits and underscores.
inline std::string to_test_name(std::string name) {
  for (char& letter : name) letter = std::isalnum(uint8_t(letter)) ? letter : '_';
  return name;
}

/// Empty where there is no such file.
inline std::string read_file_text(std::string_view path) {
  std::ifstream file(to_path(path), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace sinew::test
