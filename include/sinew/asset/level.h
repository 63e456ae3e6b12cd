// A level of detail: a smaller character, with a mesh of its own and, where it needs fewer joints, a palette of its
// own.
#pragma once

#include <vector>

#include "sinew/asset/baked_character.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skin.h"

namespace sinew {

/// One level of detail: a complete mesh that holds only the vertices it needs. See sinew/import/lod.h.
///
/// A coarse level may have a palette of its own, with entries of fewer joints of the same skeleton, and the clips baked
/// for these entries. Its influences and sockets hold indices of its own palette then. A level without one is skinned
/// with the palettes of the character.
struct ModelLevel {
  Mesh mesh;
  /// Measured: the largest distance between this surface and that of the finest mesh, in many poses of the character;
  /// of a mesh alone, that of its vertices from this surface in the positions that were given. In units of model space.
  /// Of more than 20,000 vertices a sample is measured.
  float error = 0;
  Skin skin = {};                    // the palette of this level; no entries: Character::skin
  BakedCharacter baked = {};         // the clips for `skin`; only with a palette of its own
  std::vector<Socket> sockets = {};  // Model::sockets in this palette, same order; only with a palette of its own

  bool has_palette() const { return skin.palette_size() > 0; }
  bool operator==(const ModelLevel&) const = default;
};

}  // namespace sinew
