// Decoding of images, with stb_image and libwebp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "folder.h"
#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Decodes the images of one model file. If an image cannot be decoded, or needs more memory than there is, it adds a
/// warning to the report and returns nothing: materials do without it. Borrows `folder` and `report`.
class ImageReader {
 public:
  /// If not `reads`, no image is read or decoded, and nothing is returned, without a warning.
  ImageReader(const Folder& folder, bool reads, ImportReport& report)
      : folder_(folder), reads_(reads), report_(report) {}

  /// Decodes an encoded image (PNG, JPEG, WebP, …). `name` is for the result and for warnings.
  std::optional<Image> decode(std::span<const uint8_t> encoded, const std::string& name);

  /// Reads and decodes an image file that the model names, as Folder::find_named() finds it. If there is no such file,
  /// only the last part of the path is searched for: models often hold paths of the machine that wrote them. A name
  /// that differs in case is a warning.
  std::optional<Image> load(const std::string& relative);

 private:
  std::nullopt_t leave_plain(const std::string& name, const std::string& why);

  const Folder& folder_;
  const bool reads_;
  ImportReport& report_;
  uint64_t decoded_bytes_ = 0;  // sum over all images decoded so far
};

}  // namespace sinew::internal
