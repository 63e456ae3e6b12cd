#include "system/write_file.h"

#include <stb_image_write.h>

#include "asset/file.h"
#include "system/print.h"

namespace sinew::app {
namespace {

void append_bytes(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
}

}  // namespace

Status check_writable(const std::string& path) {
  return path == kStandardOutput ? Status() : internal::check_writable(path);
}

Status write_file(const std::string& path, std::string_view bytes) {
  if (path == kStandardOutput) return write_output(bytes);
  return internal::write_file(path, std::as_bytes(std::span(bytes)));
}

std::string encode_jpeg(uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  constexpr int kQuality = 88;
  std::string bytes;
  if (rgba.size() < size_t(width) * height * 4 ||
      !stbi_write_jpg_to_func(append_bytes, &bytes, int(width), int(height), 4, rgba.data(), kQuality))
    return {};
  return bytes;
}

Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  std::string bytes;
  const int stride = int(width) * 4;
  if (rgba.size() < size_t(stride) * height ||
      !stbi_write_png_to_func(append_bytes, &bytes, int(width), int(height), 4, rgba.data(), stride)) {
    return Error{ErrorCode::kInvalidData, "cannot write " + path + ": the picture could not be encoded"};
  }
  return write_file(path, bytes);
}

}  // namespace sinew::app
