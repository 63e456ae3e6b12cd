// Where this program is, and the files that come with it.
#pragma once

#include <filesystem>

namespace sinew::app {

/// Of this program, without links; Linux tells it. Empty: unknown.
std::filesystem::path program_path();

/// Where the files are that are installed with this program: ../share/sinew of its folder. It need not exist.
std::filesystem::path installed_folder();

/// The sources that this program was built from, if it is in its build folder, however deep. Empty: it is elsewhere.
const std::filesystem::path& source_folder();

}  // namespace sinew::app
