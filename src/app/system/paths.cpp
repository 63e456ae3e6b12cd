#include "system/paths.h"

#include <fstream>
#include <string>
#include <system_error>

namespace sinew::app {

namespace fs = std::filesystem;

fs::path program_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path installed_folder() { return program_path().parent_path().parent_path() / "share/sinew"; }

/// CMake's cache has it, so that no program contains a path of the machine that built it.
fs::path source_folder() {
  constexpr std::string_view kEntry = "sinew_SOURCE_DIR:STATIC=";
  std::error_code error;
  for (fs::path folder = program_path().parent_path(); folder != folder.parent_path(); folder = folder.parent_path()) {
    std::ifstream cache(folder / "CMakeCache.txt");
    for (std::string line; std::getline(cache, line);) {
      if (line.starts_with(kEntry) && fs::is_directory(line.substr(kEntry.size()), error))
        return line.substr(kEntry.size());
    }
  }
  return {};
}

}  // namespace sinew::app
