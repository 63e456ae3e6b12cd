// PNG files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sinew/asset/result.h"

namespace host {

/// Writes a picture, rows from the top, 4 bytes per pixel of which alpha is not written.
sinew::Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

}  // namespace host
