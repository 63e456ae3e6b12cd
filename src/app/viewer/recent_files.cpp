#include "viewer/recent_files.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "system/cache.h"

namespace sinew::app {
namespace {

constexpr const char* kName = "recent-files";  // each path ends with a zero: all other letters may be in a path

void keep_all(std::span<const std::string> paths) {
  std::string bytes;
  for (const std::string& path : paths.first(std::min(paths.size(), kMaxRecentFiles))) bytes += path + '\0';
  keep(kName, std::as_bytes(std::span(bytes)));
}

/// The same file has one name, however it was named. Where there is no current folder, it has none.
std::string absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? std::string() : whole.lexically_normal().string();
}

std::vector<std::string> all_but(const std::string& path) {
  std::vector<std::string> paths = recent_files();
  std::erase(paths, path);
  return paths;
}

}  // namespace

std::vector<std::string> recent_files() {
  std::vector<std::string> paths;
  std::string path;
  for (const std::byte byte : read_kept(kName).value_or(std::vector<std::byte>())) {
    if (byte != std::byte(0)) path += char(byte);
    if (byte == std::byte(0) && !path.empty()) paths.push_back(std::exchange(path, {}));
  }
  paths.resize(std::min(paths.size(), kMaxRecentFiles));
  return paths;
}

void add_recent_file(const std::string& path) {
  const std::string whole = absolute(path);
  if (whole.empty()) return;
  std::vector<std::string> paths = all_but(whole);
  paths.insert(paths.begin(), whole);
  keep_all(paths);
}

void forget_recent_file(const std::string& path) { keep_all(all_but(path)); }

}  // namespace sinew::app
