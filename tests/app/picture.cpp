#include "picture.h"

#include <stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

namespace sinew::test {

Picture read_png(const std::string& path) {
  Picture picture;
  int channels = 0;
  uint8_t* pixels = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 4);
  if (!pixels) throw std::runtime_error(path + ": " + stbi_failure_reason());
  picture.rgba.assign(pixels, pixels + size_t(picture.width) * size_t(picture.height) * 4);
  stbi_image_free(pixels);
  return picture;
}

size_t color_count(const Picture& picture) {
  std::set<uint32_t> colors;
  for (size_t i = 0; i < picture.rgba.size(); i += 4) {
    uint32_t color;
    std::memcpy(&color, &picture.rgba[i], sizeof color);
    colors.insert(color);
  }
  return colors.size();
}

Difference difference(const Picture& a, const Picture& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (a.width != b.width || a.height != b.height) return {kInfinity, kInfinity};
  double sum = 0;
  size_t different = 0;
  for (size_t pixel = 0; pixel < a.rgba.size(); pixel += 4) {
    int widest = 0;
    for (size_t i = pixel; i < pixel + 4; ++i) {
      const int step = std::abs(int(a.rgba[i]) - int(b.rgba[i]));
      sum += step;
      widest = std::max(widest, step);
    }
    different += widest > 8;
  }
  return {sum / double(a.rgba.size()), double(different) / (double(a.rgba.size()) / 4)};
}

}  // namespace sinew::test
