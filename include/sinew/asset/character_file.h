// The `.sinew` file: a character as it was imported, exactly, and its bake. Reading it takes no importer.
//
// Little-endian. A header of 64 bytes (magic, version, size, checksum), a table of sections, then the sections, each
// beginning on 64 bytes, as does every large array in them: what a file has for arrays is what memory has. Nothing in
// it is trusted: sizes are held against the file, the checksum against the bytes, and every index, count and number
// by the validators that hold for any character.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/result.h"

namespace sinew {

/// Files of another version are refused, kUnsupported: import the source again.
inline constexpr uint32_t kCharacterFileVersion = 2;

struct CharacterFile {
  Character character;
  std::optional<BakedCharacter> baked;  // of this character; BakedCharacter::options says with what bound
  std::optional<ImportReport> report;   // of the import that the character is from
};

/// True where a path ends in ".sinew", in any case.
bool is_character_file(const std::string& path);

/// The file's bytes. The same content gives the same bytes. Refuses what is not valid, and a bake of another character.
Result<std::vector<std::byte>> encode_character(const CharacterFile& file);

/// What encode_character() made. `bytes` begin on 64 bytes, as mapped files do, and are not needed afterwards. The
/// message says what is wrong without naming a file: kInvalidData, kUnsupported (version), kInvalidArgument (bytes not
/// aligned), kOutOfMemory. Never reads beyond `bytes`, and takes memory in proportion to them. Calls may run in
/// parallel.
Result<CharacterFile> decode_character(std::span<const std::byte> bytes);

/// Reads and decodes a regular file; see read_file(). The message names it.
Result<CharacterFile> load_character_file(const std::string& path);

/// Encodes and writes, beside and then renamed; see write_file().
Status write_character_file(const std::string& path, const CharacterFile& file);

}  // namespace sinew
