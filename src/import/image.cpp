#include "image.h"

#include <algorithm>
#include <memory>

#include "failure.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace sinew {

std::optional<Image> decode_image(std::span<const uint8_t> encoded, const std::string& name, ImportReport& report) {
  int width = 0, height = 0, channels = 0;
  const int size = int(std::min<size_t>(encoded.size(), INT32_MAX));
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(encoded.data(), size, &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) {
    const char* reason = stbi_failure_reason();  // it does not always have one
    report.warnings.push_back("image '" + name + "' cannot be decoded: " + (reason ? reason : "it is malformed"));
    return std::nullopt;
  }
  Image image{name, uint32_t(width), uint32_t(height), {}};
  image.rgba.assign(pixels.get(), pixels.get() + size_t(width) * size_t(height) * 4);
  return image;
}

std::optional<Image> load_image(const Folder& folder, const std::string& relative, ImportReport& report) {
  std::string path = folder.find(relative);
  if (path.empty()) path = folder.find(relative.substr(relative.find_last_of("/\\") + 1));
  if (path.empty()) {
    report.warnings.push_back("image '" + relative + "' is not beside the model: plain colour instead");
    return std::nullopt;
  }
  try {
    return decode_image(read_whole_file(path), relative, report);
  } catch (const ImportFailure& failure) {
    report.warnings.push_back("image '" + relative + "' cannot be read: " + failure.reason);
    return std::nullopt;
  }
}

}  // namespace sinew
