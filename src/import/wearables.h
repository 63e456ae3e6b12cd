// Wearables of a model: made from parts of its own mesh or of another character, and fitted to its levels of detail.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"
#include "sinew/import/model.h"

namespace sinew::internal {

/// The palette entry of a joint, which gets one if it moved no vertex so far. Entries of sockets, and of wearables of
/// the finest level, are shifted with those of the mesh: levels and bake are of an older palette then.
Result<uint16_t> palette_entry_of(CharacterFile& file, uint32_t joint);

/// Adds those that are wanted and the file lacks, with the mesh of the finest level alone. Bounds are dropped if there
/// were any. True if the character has another mesh or palette now: bake and levels are then of an older one.
Result<bool> make_wearables(std::span<const WearableOptions> wanted, CharacterFile& file);

/// Makes the meshes of all wearables for all levels of detail of the file again, from those of the finest.
Status fit_wearables(CharacterFile& file);

}  // namespace sinew::internal
