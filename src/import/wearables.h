// Wearables of a model: made from parts of its own mesh or of another character, and fitted to its levels of detail.
#pragma once

#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"
#include "sinew/import/model.h"

namespace sinew::internal {

/// Adds those that `options` wants and the file lacks, with the mesh of the finest level alone: parts leave the mesh of
/// the character, materials join it, joints get palette entries. True if there were any: bake, bounds and levels are
/// then of an older character.
Result<bool> make_wearables(const ModelOptions& options, CharacterFile& file);

/// Makes the meshes of all wearables for all levels of detail of the file again, from those of the finest.
Status fit_wearables(CharacterFile& file);

/// The character in all wearables at once, without what bounds do not need.
Character dressed(const CharacterFile& file);

}  // namespace sinew::internal
