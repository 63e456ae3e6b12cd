// Where this program is, and the files that come with it.
#pragma once

#include <filesystem>

namespace sinew::app {

/// Of this program. Empty: unknown.
std::filesystem::path program_path();

/// The folder of the files that are installed with this program: ../share/sinew, as the program sees it.
std::filesystem::path installed_folder();

/// The sources of a program in a build folder, however deep. Empty: it is installed elsewhere.
std::filesystem::path source_folder();

}  // namespace sinew::app
