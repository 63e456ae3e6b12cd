// The character files that were opened last, in the cache: see system/cache.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sinew::app {

inline constexpr size_t kMaxRecentFiles = 10;

/// Absolute paths, the newest first. Files that were removed since may be among them.
std::vector<std::string> recent_files();

/// Makes a file the newest.
void add_recent_file(const std::string& path);

void forget_recent_file(const std::string& path);

}  // namespace sinew::app
