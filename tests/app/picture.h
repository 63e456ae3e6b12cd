// Screenshots: readers for their files, and measures that compare them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::test {

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top
};

/// Throws std::runtime_error if the file is not a PNG.
Picture read_png(const std::string& path);

/// Reads an X window dump (`xwd`) of a 24-bit screen. Throws std::runtime_error for other depths, std::out_of_range for
/// a file that is cut short.
Picture read_xwd(const std::string& path);

/// The number of distinct colors.
size_t color_count(const Picture& picture);

/// The difference of two pictures of one size. Both fields are infinite if the sizes differ.
struct Difference {
  double mean = 0;   // mean absolute difference over all channels, in 8-bit steps
  double share = 0;  // share of the pixels with a channel that differs by more than 8 steps
};
Difference difference(const Picture& a, const Picture& b);

}  // namespace sinew::test
