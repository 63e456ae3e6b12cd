// Output files, written completely or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// The path that means standard output; a file of this name is "./-".
inline constexpr std::string_view kStandardOutput = "-";

/// Writes `bytes` to a new file beside `path`, then renames it: a reader finds the old file or the complete new one. A
/// path that is not a regular file (a pipe, /dev/stdout) is written directly, and kStandardOutput to standard output. A
/// failure leaves no file behind.
Status write_file(const std::string& path, std::string_view bytes);

/// Encodes RGBA, 4 bytes per pixel, rows from the top, as PNG, and writes it like write_file().
Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

/// Encodes RGBA as JPEG, without alpha. Empty where it cannot be encoded.
std::string encode_jpeg(uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

/// Fails where write_file() would fail because of the folder. Call it before long work.
Status check_writable(const std::string& path);

}  // namespace sinew::app
