// A writer of DirectX .x text files: one file with the mesh, the skin and every clip of a character. The format has any
// transform, keys at whole ticks and any number of influences. It is left-handed, so that z is mirrored.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// Whether keys are written as matrices or as separate rotations, scales and translations.
enum class XKeys { kMatrices, kRotationsScalesPositions };

/// The file's text.
std::string x_file(const Character& character, XKeys keys);

}  // namespace sinew::test
