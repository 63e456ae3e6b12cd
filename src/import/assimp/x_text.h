// The text of a DirectX .x file, as Assimp reads it right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::internal {

/// The same file with what Assimp misreads said in another way: a blank after each comma (it takes "1,5" for one and a
/// half), a name for each frame without one (it loses their transforms), rotation keys of unit length (it makes
/// matrices of others as they are), scales, rotations and translations in place of matrix keys that mirror (it loses
/// that), no empty lists of weights, matrices of frames with commas only, and frames for the targets of a file of clips
/// alone. Binary and compressed files are returned as they are. Throws std::bad_alloc.
std::vector<uint8_t> x_text_for_assimp(std::span<const uint8_t> file);

}  // namespace sinew::internal
