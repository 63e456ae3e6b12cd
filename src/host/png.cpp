#include "host/png.h"

#include <stb_image_write.h>

#include <vector>

namespace host {

sinew::Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  std::vector<uint8_t> rgb;
  rgb.reserve(size_t{3} * width * height);
  for (size_t i = 0; i < size_t{4} * width * height; ++i) {
    if (i % 4 != 3) rgb.push_back(rgba[i]);
  }
  if (!stbi_write_png(path.c_str(), int(width), int(height), 3, rgb.data(), int(3 * width)))
    return sinew::Error{sinew::ErrorCode::kUnreadable, "cannot write '" + path + "'"};
  return {};
}

}  // namespace host
