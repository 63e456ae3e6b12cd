// Pictures that the program took, and what can be said about them without eyes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::test {

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top
};

/// Throws std::runtime_error where the file is no PNG.
Picture read_png(const std::string& path);

/// What `xwd` writes of a 24-bit screen. Throws likewise.
Picture read_xwd(const std::string& path);

/// How many distinct colors there are.
size_t color_count(const Picture& picture);

/// How two pictures of one size differ; both infinite where the sizes do.
struct Difference {
  double mean = 0;   // of all channels, in 8-bit steps
  double share = 0;  // of pixels where a channel differs by more than 8 steps
};
Difference difference(const Picture& a, const Picture& b);

}  // namespace sinew::test
