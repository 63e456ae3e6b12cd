// The model: everything that is made once from a character file, immutable and shared. load_model() of
// sinew/import/model.h makes one of any file; load_model_file() opens a `.sinew` that holds one, and makes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/level.h"
#include "sinew/asset/result.h"
#include "sinew/asset/wearable.h"

namespace sinew {

/// The data of a model. Plain data; the parts belong together, see validate().
struct Model {
  Character character;
  BakedCharacter baked;            // of `character`
  CharacterBounds bounds;          // of `baked`
  std::vector<ModelLevel> levels;  // of detail, coarser than Character::mesh, the finest first; errors in model space
  std::vector<NamedSocket> sockets;
  std::vector<NamedMask> masks;
  std::vector<Wearable> wearables;  // at most kMaxWearables
  ImportReport report;              // of the import that made `character`

  /// Level 0 is the mesh of the character, the others are `levels`.
  uint32_t level_count() const { return uint32_t(levels.size()) + 1; }
  const Mesh& mesh(uint32_t level) const { return level == 0 ? character.mesh : levels[level - 1].mesh; }
  /// The palette that skins the mesh of a level, and the clips for it: those of the character, or the level's own.
  bool has_palette(uint32_t level) const { return level > 0 && levels[level - 1].has_palette(); }
  const Skin& skin(uint32_t level) const { return has_palette(level) ? levels[level - 1].skin : character.skin; }
  const BakedCharacter& bake(uint32_t level) const { return has_palette(level) ? levels[level - 1].baked : baked; }
  /// The place of a socket in the palette of a level.
  const Socket& socket(uint32_t level, uint32_t number) const {
    return has_palette(level) ? levels[level - 1].sockets[number] : sockets[number].socket;
  }
  /// Around the vertices of a level in all poses; model space. A SkinnedCrowd packs vertices in it, see
  /// PackedSkinnedVertex. Vertices that follow other joints than those of the finest level are off by the level's
  /// error, and in blends somewhat more.
  Box vertex_box(uint32_t level) const {
    const float margin = has_palette(level) && largest_extent() > 0 ? 2 * levels[level - 1].error : 0;
    const Vec3 around{margin, margin, margin};
    return {bounds.layered.low - around, bounds.layered.high + around};
  }

  /// Of the rest pose, in units of model space: the largest extent along an axis, and the middle of its box.
  float largest_extent() const {
    const Vec3 size = size_of(bounds.rest);
    return std::max({size.x, size.y, size.z});
  }
  Vec3 middle() const { return (bounds.rest.low + bounds.rest.high) * 0.5f; }
};

/// Shared by everything that uses the model, such as crowds: it lives as long as the last of them.
using SharedModel = std::shared_ptr<const Model>;

/// Checks that every part is valid and that the parts fit together. Call it on a model that you build yourself. Errors:
/// kInvalidData with the part in the message, kInvalidArgument (bake of another character), kOutOfMemory.
SINEW_API Status validate(const Model& model);

/// The number of the socket with this name, for crowd::SocketRequest::socket; nothing if there is none.
SINEW_API std::optional<uint32_t> find_socket(const Model& model, std::string_view name);
/// The number of the mask with this name, for Layer::mask; nothing if there is none.
SINEW_API std::optional<uint32_t> find_mask(const Model& model, std::string_view name);
/// The index of the wearable with this name in Model::wearables, the number of its bit in an outfit; nothing if there
/// is none.
SINEW_API std::optional<uint32_t> find_wearable(const Model& model, std::string_view name);

/// The model of a file that holds all of it. Errors: those of validate(); kUnsupported for a file without bake or
/// bounds: make_model() makes what is missing.
SINEW_API Result<SharedModel> to_model(CharacterFile file);

/// Opens a `.sinew` file that holds a whole model, as `sinew bake` and write_model_file() write them. Errors as from
/// load_character_file() and to_model().
SINEW_API Result<SharedModel> load_model_file(const std::string& path);

/// Writes a `.sinew` file that holds the model. Errors as from write_character_file().
SINEW_API Status write_model_file(const std::string& path, const Model& model);

}  // namespace sinew
