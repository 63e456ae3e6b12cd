// Base-colour images, decoded with stb_image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "folder.h"
#include "sinew/character.h"
#include "sinew/import.h"

namespace sinew {

/// Decodes an encoded image (PNG, JPEG, …). On failure warns and returns nothing: the material stays plain.
std::optional<Image> decode_image(std::span<const uint8_t> encoded, const std::string& name, ImportReport& report);

/// The same for an image file named by a model, as it is or by its last part (paths of other machines).
std::optional<Image> load_image(const Folder& folder, const std::string& relative, ImportReport& report);

}  // namespace sinew
