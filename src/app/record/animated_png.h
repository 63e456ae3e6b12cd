// Pictures one after another in one file: an animated PNG (APNG). Browsers play it; a program that knows only PNG shows
// the first picture. Source: "Portable Network Graphics (PNG) Specification (Third Edition)", W3C.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

struct AnimatedPngInfo {
  uint32_t width = 0, height = 0;
  uint16_t delay_numerator = 1, delay_denominator = 30;  // seconds that each frame is shown; both above 0
  bool loop_forever = true;                              // false: plays once, and the last frame stays
};

/// The bytes of an APNG. Each frame is RGBA, 4 bytes per pixel, rows from the top, width * height * 4 bytes. Frames
/// after the first store only the rectangle in which they differ from the frame before. A million pixels that change
/// take about a quarter of a second. Fails (kInvalidArgument) without frames, for a frame of another size, for sides
/// above 16384 pixels, and for frames of more than 4 GiB in total.
Result<std::string> encode_animated_png(std::span<const std::vector<uint8_t>> rgba_frames, const AnimatedPngInfo& info);

/// Writes encode_animated_png() to a file, completely or not at all, like write_file().
Status write_animated_png(const std::string& path, std::span<const std::vector<uint8_t>> rgba_frames,
                          const AnimatedPngInfo& info);

}  // namespace sinew::app
