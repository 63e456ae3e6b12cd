// Names of files, and the files that come with this program.
#pragma once

#include <filesystem>
#include <string>

#include "asset/file.h"

namespace sinew::app {

// Paths and UTF-8: on Windows std::filesystem takes the bytes of a std::string for those of another encoding.
using internal::path_of, internal::utf8_of;

using internal::program_path;

/// The name of a file without its folder and its ending.
std::string stem_of(const std::string& path);

/// Where the files are that are installed with this program: share/sinew of its folder, as in an archive for Windows,
/// else ../share/sinew. It need not exist.
std::filesystem::path installed_folder();

/// The sources that this program was built from, if it is in its build folder, however deep. Empty: it is elsewhere.
const std::filesystem::path& source_folder();

}  // namespace sinew::app
