#include "image.h"

#include <algorithm>
#include <memory>

#include "failure.h"
#include "system.h"

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

namespace sinew::internal {
namespace {

struct Format {
  const char* name;
  std::string_view signature;
  size_t offset;
};

/// Image formats that models use and stb_image does not read: recognized only to name them in the warning.
constexpr Format kUnsupportedFormats[] = {
    {"KTX2", "\xabKTX 20\xbb", 0}, {"WebP", "WEBP", 8}, {"AVIF", "ftypavif", 4}, {"DDS", "DDS ", 0}};

std::string why_not_decoded(std::span<const uint8_t> encoded) {
  const std::string_view bytes(reinterpret_cast<const char*>(encoded.data()), encoded.size());
  for (const Format& format : kUnsupportedFormats) {
    if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.signature)) {
      return std::string("is in ") + format.name + ", which is not read";
    }
  }
  const char* reason = stbi_failure_reason();  // null if the decoder gave no reason
  return std::string("cannot be decoded: ") + (reason != nullptr ? reason : "it is malformed");
}

}  // namespace

std::optional<Image> ImageReader::decode(std::span<const uint8_t> encoded, const std::string& name) {
  int width = 0, height = 0, channels = 0;
  const int size = int(std::min<size_t>(encoded.size(), INT32_MAX));
  if (!stbi_info_from_memory(encoded.data(), size, &width, &height, &channels)) {
    return leave_plain(name, why_not_decoded(encoded));
  }
  // Decoding needs twice the image's size. Encoding a `.sinew` later needs a second copy of all images.
  const uint64_t bytes = uint64_t(width) * uint64_t(height) * 4;
  if (!can_allocate(3 * bytes + decoded_bytes_)) {
    return leave_plain(name, "of " + std::to_string(width) + " x " + std::to_string(height) +
                                 " pixels needs more memory than import may take (--import-memory allows more)");
  }
  stbi__g_failure_reason = nullptr;  // stbi_info tried one decoder after the other: the failed ones left a reason
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(encoded.data(), size, &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) return leave_plain(name, why_not_decoded(encoded));
  Image image{name, uint32_t(width), uint32_t(height), {}};
  image.rgba.assign(pixels.get(), pixels.get() + bytes);
  decoded_bytes_ += bytes;
  return image;
}

std::optional<Image> ImageReader::load(const std::string& relative) {
  std::string path = folder_.find(relative);
  if (path.empty()) path = folder_.find(relative.substr(relative.find_last_of("/\\") + 1));
  if (path.empty()) return leave_plain(relative, "is not beside the model");
  try {
    return decode(read_whole_file(path), relative);
  } catch (const ImportFailure& failure) {
    return leave_plain(relative, "cannot be read: " + failure.reason);
  }
}

std::nullopt_t ImageReader::leave_plain(const std::string& name, const std::string& why) {
  report_.warnings.push_back("image '" + name + "' " + why + ": plain color instead");
  return std::nullopt;
}

}  // namespace sinew::internal
