// Runs `sinew view`: loads the characters, then shows them in a window or writes pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/result.h"
#include "viewer/opened_files.h"

namespace sinew::app {

Status run_view(const ViewOptions& options);

/// Its part with a window: shows ground and sky while `loading` goes on, then the characters, and in their place others
/// that the user opens, until the window is closed; then writes --screenshot. Fails where the first files cannot be
/// shown. Main thread only.
Status show_window(const ViewOptions& options, GraphicsContext& graphics, std::unique_ptr<FileLoading> loading);

/// Pictures side by side in one picture.
struct ContactSheet {
  uint32_t width = 0, height = 0;
  uint32_t columns = 0, rows = 0;
  std::vector<uint8_t> rgba;  // 4 bytes per pixel, rows from the top
};

/// Fails as make_contact_sheet() would for `count` pictures of this size, before any is drawn.
Status check_contact_sheet(size_t count, uint32_t width, uint32_t height);

/// Composes pictures of one size, row by row, with a narrow gray gap between them; cells without a picture are gray
/// too. The sheet has up to 8 columns, as many as bring its shape nearest to 16:9. `width` and `height` are those of
/// each picture in pixels. Fails (kInvalidArgument) without pictures, for a picture that is not width * height * 4
/// bytes, and for a sheet with a side above 16384 pixels.
Result<ContactSheet> make_contact_sheet(std::span<const std::vector<uint8_t>> rgba_pictures, uint32_t width,
                                        uint32_t height);

}  // namespace sinew::app
