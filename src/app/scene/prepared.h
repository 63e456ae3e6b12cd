// Our own characters as crowds take them: the build makes their levels of detail, bakes and bounds, which takes
// seconds, and keeps them as `.sinew` files beside the program. A file is named by a hash of what it was made of: where
// that has changed there is none, and the character is made of its source again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scene/load.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// The folder that this program is in. Empty: unknown.
std::filesystem::path program_folder();

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

}  // namespace sinew::app
