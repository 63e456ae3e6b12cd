// Pictures as numbered PNG files in a folder, for programs that make videos of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Whether a path names a folder: it ends in "/", or a folder is there.
bool names_folder(const std::string& path);

/// Fails where write_png_folder() would fail because of the folder or the one that it is in. Creates nothing.
Status check_folder_writable(const std::string& folder);

/// Writes each frame to `folder` as 0001.png, 0002.png and so on, with as many digits as the last number needs. Creates
/// the folder if it is not there, but not the folder that it is in. A file of the same name is replaced; other files
/// stay. Each frame is RGBA, 4 bytes per pixel, rows from the top. On failure removes what it wrote, the folder too if
/// it created it.
Status write_png_folder(const std::string& folder, std::span<const std::vector<uint8_t>> rgba_frames, uint32_t width,
                        uint32_t height);

}  // namespace sinew::app
