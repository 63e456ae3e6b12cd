#include "picture.h"

#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
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

// The file has a header that begins with 25 big-endian words, then a color map with 12 bytes an entry, then the rows.
// A pixel is blue, green, red and sometimes a fourth byte: xwd omits that byte if the screen shows windows of several
// visuals.
Picture read_xwd(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto word = [&](size_t index) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes.at(4 * index + i));
    return value;
  };
  const size_t width = word(4), height = word(5), row_bytes = word(12), start = word(0) + 12 * size_t(word(19));
  const size_t pixel_bytes = word(11) / 8;
  if (word(1) != 7 || (pixel_bytes != 3 && pixel_bytes != 4)) throw std::runtime_error(path + ": not of 24 bits");
  Picture picture{int(width), int(height), {}};
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      const size_t pixel = start + y * row_bytes + pixel_bytes * x;
      for (const size_t channel : {2, 1, 0}) picture.rgba.push_back(uint8_t(bytes.at(pixel + channel)));
      picture.rgba.push_back(255);
    }
  }
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
    int max_step = 0;
    for (size_t i = pixel; i < pixel + 4; ++i) {
      const int step = std::abs(int(a.rgba[i]) - int(b.rgba[i]));
      sum += step;
      max_step = std::max(max_step, step);
    }
    different += max_step > 8;
  }
  return {sum / double(a.rgba.size()), double(different) / (double(a.rgba.size()) / 4)};
}

}  // namespace sinew::test
