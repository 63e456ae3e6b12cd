// Paths in UTF-8, as this library has them on every system: std::filesystem takes the bytes of a std::string for those
// of the system's own encoding.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/api.h"

namespace sinew::internal {

/// Empty if `utf8` cannot name a file.
SINEW_API std::filesystem::path path_of(const std::string& utf8);

SINEW_API std::string utf8_of(const std::filesystem::path& path);

}  // namespace sinew::internal
