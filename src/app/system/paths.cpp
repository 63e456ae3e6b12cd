#include "system/paths.h"

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "system/platform.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

/// The value of an entry of CMake's cache; empty: it has none.
std::string entry(const fs::path& cache, std::string_view name) {
  std::ifstream file(cache);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return {};
}

/// CMake's cache has it, so that no program contains a path of the machine that built it. A cache that was copied, or
/// is above another folder, names another folder as its own.
fs::path find_sources() {
  std::error_code error;
  for (fs::path folder = program_path().parent_path(); folder != folder.parent_path(); folder = folder.parent_path()) {
    const fs::path cache = folder / "CMakeCache.txt";
    if (!fs::exists(cache, error)) continue;
    if (!fs::equivalent(path_of(entry(cache, "CMAKE_CACHEFILE_DIR:INTERNAL=")), folder, error)) return {};
    const fs::path sources = path_of(entry(cache, "sinew_SOURCE_DIR:STATIC="));
    return fs::is_directory(sources, error) ? sources : fs::path();
  }
  return {};
}

}  // namespace

std::string stem_of(const std::string& path) { return utf8_of(path_of(path).stem()); }

fs::path installed_folder() {
  std::error_code error;
  const fs::path own = program_path().parent_path();
  return (fs::is_directory(own / "share/sinew", error) ? own : own.parent_path()) / "share/sinew";
}

const fs::path& source_folder() {
  static const fs::path found = find_sources();
  return found;
}

}  // namespace sinew::app
