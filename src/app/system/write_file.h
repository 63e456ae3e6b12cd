// Output files: whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Writes `bytes` beside `path`, then renames: whoever looks finds the old file or the whole new one. What is there but
/// no regular file (a pipe, /dev/stdout) is written to directly. On failure nothing is left behind.
Status write_file(const std::string& path, std::string_view bytes);

/// Encodes 4 bytes a pixel, rows from the top, as PNG, and writes it likewise.
Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

/// Fails where write_file would fail for the folder's sake. Ask before work that takes long.
Status check_writable(const std::string& path);

}  // namespace sinew::app
