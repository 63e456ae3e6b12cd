// The `.sinew` file: a character exactly as imported, and what is made once from it: baked clips, bounds, levels of
// detail, sockets, masks and wearables. sinew/asset/model.h opens a file that holds all of it. Reading needs no
// importer.
//
// The file is little-endian: a header of 64 bytes (magic, version, size, checksum), a table of sections, the sections.
// Sections begin at multiples of 64 bytes, and so do large arrays, which have the same layout as in memory. Nothing in
// a file is trusted: sizes are checked against the file, the checksum against the bytes, and every index, count and
// value by the same validate() calls as for any character. All calls may run in parallel.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/level.h"
#include "sinew/asset/result.h"
#include "sinew/asset/wearable.h"

namespace sinew {

/// The version of the format. A file of another version is refused with kUnsupported: import its source again.
inline constexpr uint32_t kCharacterFileVersion = 7;

/// The content of a `.sinew` file.
struct CharacterFile {
  Character character;
  std::optional<BakedCharacter> baked;         // of `character`; BakedCharacter::options holds the error bound
  std::optional<ImportReport> report;          // of the import that made `character`
  std::optional<CharacterBounds> bounds = {};  // of `baked`
  std::vector<ModelLevel> levels = {};         // of detail, coarser than Character::mesh, the finest first
  std::vector<NamedSocket> sockets = {};
  std::vector<NamedMask> masks = {};
  std::vector<Wearable> wearables = {};  // their meshes are of `character` and of each of `levels`
  bool operator==(const CharacterFile&) const = default;
};

/// Checks that every part is valid and that the parts fit together. Errors: kInvalidData with the part in the message,
/// kInvalidArgument (bake of another character, bounds without a bake), kOutOfMemory.
SINEW_API Status validate(const CharacterFile& file);

/// True if `path` ends in ".sinew", in upper or lower case. Does not look at the file.
SINEW_API bool is_character_file(const std::string& path);

/// The bytes of the file; equal content gives equal bytes. Errors: kInvalidData (invalid character or bake),
/// kInvalidArgument (bake of another character), kOutOfMemory.
SINEW_API Result<std::vector<std::byte>> encode_character(const CharacterFile& file);

/// Reads what encode_character() wrote. `bytes` begins at a multiple of 64 bytes, as mapped files do, and is copied.
/// Never reads beyond `bytes`; allocates memory in proportion to them. Errors, without a file's name in the message:
/// kInvalidData, kUnsupported (version), kInvalidArgument (`bytes` not aligned, bake of another character),
/// kOutOfMemory.
SINEW_API Result<CharacterFile> decode_character(std::span<const std::byte> bytes);

/// Reads and decodes a regular file of at most 2 GiB; refuses a pipe or device without waiting for it. Errors as from
/// decode_character(), also kNotFound and kUnreadable; the message names the file.
SINEW_API Result<CharacterFile> load_character_file(const std::string& path);

/// Encodes `file` and writes it to a temporary file in the same folder, which is then renamed to `path`: other
/// processes see the old file or the whole new one. A pipe or device is written directly. Errors as from
/// encode_character(), also kUnreadable (cannot be written); then no temporary file is left.
SINEW_API Status write_character_file(const std::string& path, const CharacterFile& file);

}  // namespace sinew
