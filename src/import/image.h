// Base-color images, decoded with stb_image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "folder.h"
#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew {

/// Decodes the images of one file. An image that cannot be decoded, or for which there is not memory enough, becomes a
/// warning and nothing: its material stays plain.
class ImageReader {
 public:
  ImageReader(const Folder& folder, ImportReport& report) : folder_(folder), report_(report) {}

  /// An encoded image (PNG, JPEG, …).
  std::optional<Image> decode(std::span<const uint8_t> encoded, const std::string& name);

  /// The same for an image file named by a model, as it is or by its last part (paths of other machines).
  std::optional<Image> load(const std::string& relative);

 private:
  std::nullopt_t leave_plain(const std::string& name, const std::string& why);

  const Folder& folder_;
  ImportReport& report_;
  uint64_t decoded_bytes_ = 0;  // of all images so far
};

}  // namespace sinew
