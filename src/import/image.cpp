#include "image.h"

#include <webp/decode.h>

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
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // where g++ inlines its reader of bytes
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4505)  // functions that are not called
#endif
#include <stb_image.h>
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif

namespace sinew::internal {
namespace {

struct Format {
  const char* name;
  std::string_view signature;
  size_t offset;
};

/// Image formats that models use and stb_image does not read: recognized only to name them in the warning.
constexpr Format kUnsupportedFormats[] = {{"KTX2", "\xabKTX 20\xbb", 0}, {"AVIF", "ftypavif", 4}, {"DDS", "DDS ", 0}};

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

constexpr const char* kAnimated = "is an animated WebP, which is not read";

bool is_webp(std::span<const uint8_t> encoded) {
  const std::string_view bytes(reinterpret_cast<const char*>(encoded.data()), encoded.size());
  return bytes.size() > 12 && bytes.starts_with("RIFF") && bytes.substr(8).starts_with("WEBP");
}

struct Size {
  int width = 0, height = 0;
};

constexpr double kMaxScanned = double(1 << 28);  // pixels of all scans together
constexpr size_t kUsualScans = 16;               // of a progressive JPEG

/// Whether a JPEG has so many scans, each of which may change all pixels, that it would take long. In the data of a
/// scan no marker follows 0xff.
bool has_too_many_scans(std::span<const uint8_t> encoded, Size size) {
  if (encoded.size() < 2 || encoded[0] != 0xff || encoded[1] != 0xd8) return false;
  size_t scans = 0;
  for (size_t i = 2; i + 1 < encoded.size(); ++i) scans += encoded[i] == 0xff && encoded[i + 1] == 0xda;
  return scans > kUsualScans && double(scans) * size.width * size.height > kMaxScanned;
}

/// The reason why the file is none that can be decoded; empty: `size` is known.
std::string read_size(std::span<const uint8_t> encoded, Size& size) {
  if (is_webp(encoded)) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(encoded.data(), encoded.size(), &features) != VP8_STATUS_OK)
      return "cannot be decoded: its WebP is malformed";
    size = {features.width, features.height};
    return features.has_animation ? kAnimated : "";
  }
  int channels = 0;
  const int bytes = int(std::min<size_t>(encoded.size(), INT32_MAX));
  const bool known = stbi_info_from_memory(encoded.data(), bytes, &size.width, &size.height, &channels);
  if (known && has_too_many_scans(encoded, size)) return "has too many scans for its size";
  return known ? "" : why_not_decoded(encoded);
}

/// The same for the pixels.
std::string read_pixels(std::span<const uint8_t> encoded, Size size, std::vector<uint8_t>& rgba) {
  const size_t bytes = size_t(size.width) * size_t(size.height) * 4;
  if (is_webp(encoded)) {
    rgba.resize(bytes);
    const bool decoded = WebPDecodeRGBAInto(encoded.data(), encoded.size(), rgba.data(), bytes, size.width * 4);
    return decoded ? "" : "cannot be decoded: its WebP is malformed";
  }
  stbi__g_failure_reason = nullptr;  // stbi_info tried one decoder after the other: the failed ones left a reason
  const int length = int(std::min<size_t>(encoded.size(), INT32_MAX));
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(encoded.data(), length, &size.width, &size.height, &channels, 4), stbi_image_free);
  if (!pixels) return why_not_decoded(encoded);
  rgba.assign(pixels.get(), pixels.get() + bytes);
  return "";
}

std::string last_part(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

}  // namespace

std::optional<Image> ImageReader::decode(std::span<const uint8_t> encoded, const std::string& name) {
  if (!reads_) return std::nullopt;
  Size size;
  if (const std::string why = read_size(encoded, size); !why.empty()) return leave_plain(name, why);
  // Decoding needs twice the image's size. Encoding a `.sinew` later needs a second copy of all images.
  const uint64_t bytes = uint64_t(size.width) * uint64_t(size.height) * 4;
  if (!can_allocate(3 * bytes + decoded_bytes_)) {
    return leave_plain(name, "of " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                                 " pixels needs more memory than import may take (--import-memory allows more)");
  }
  Image image{name, uint32_t(size.width), uint32_t(size.height), {}};
  if (const std::string why = read_pixels(encoded, size, image.rgba); !why.empty()) return leave_plain(name, why);
  decoded_bytes_ += bytes;
  return image;
}

std::optional<Image> ImageReader::load(const std::string& relative) {
  if (!reads_) return std::nullopt;
  FoundFile file = folder_.find_named(relative);
  for (const char* folder : {"", "textures/", "Textures/"}) {  // where authors put what their file looks for elsewhere
    if (file.path.empty()) file = folder_.find_named(folder + last_part(relative));
  }
  if (file.path.empty()) return leave_plain(relative, "is not beside the model");
  if (file.other_case) report_.warnings.push_back(other_case_warning("image", relative, file));
  try {
    return decode(read_whole_file(file.path), relative);
  } catch (const ImportFailure& failure) {
    return leave_plain(relative, "cannot be read: " + failure.reason);
  }
}

std::nullopt_t ImageReader::leave_plain(const std::string& name, const std::string& why) {
  report_.warnings.push_back("image '" + name + "' " + why + ": left out");
  return std::nullopt;
}

}  // namespace sinew::internal
