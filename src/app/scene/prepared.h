// Our own characters as crowds take them: the build makes their levels of detail, bakes and bounds, which takes
// seconds, and keeps them as `.sinew` files beside the program. A file is named by a hash of what it was made of: where
// that has changed there is none, and the character is made of its source again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "scene/load.h"
#include "scene/model.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// "swordsman-", or with files of more clips "farmer_clips-", and a hash of all files and the version. Empty: one of
/// them cannot be read.
std::string prepared_name(const std::string& path, const LoadOptions& options);

/// Makes what a crowd makes of a character: levels of detail, bake and bounds. For ModelOptions as they are by default.
Result<CharacterFile> prepare(const std::string& path, const LoadOptions& options, const ParallelFor& parallel_for);

/// The prepared file of a character, if it is one of our own, by whatever path: in the folder `prepared` beside the
/// program, or in that of an installation. Nothing: there is none, it is damaged, `options` ask for more than files
/// with more clips, or the cache is off. `program`: the folder that the program is in.
std::optional<CharacterFile> read_prepared(const std::filesystem::path& program, const std::string& path,
                                           const LoadOptions& options);

// Levels of detail that were made before: making them takes seconds, reading them milliseconds. They are kept as
// `.sinew` files in the cache, see system/cache.h, named by a hash of all that they depend on.

/// To be raised when make_levels(), bake() or measure_bounds() makes something else of the same character.
inline constexpr uint64_t kLevelsVersion = 14;

/// Hashes what the levels of a model depend on: the character, its masks, sockets and bake options.
std::string levels_key(const Model& model);

/// The levels that were kept under `key`, and what make_levels() added to the character's materials. False: there are
/// none.
bool read_levels(const std::string& key, Model& model);

/// Keeps the levels of a model. The oldest of more than 64 files are removed.
void keep_levels(const std::string& key, const Model& model);

}  // namespace sinew::app
