// PNG files.
#pragma once

#include <cstdint>
#include <string>

namespace host {

/// Writes a picture, rows from the top, 4 bytes per pixel of which alpha is not written. Fails if it cannot.
void write_png(const std::string& path, uint32_t width, uint32_t height, const uint8_t* rgba);

}  // namespace host
