// A writer of DirectX .x text files: one file with the mesh, the skin and every clip of a character. The format has any
// transform, keys at whole ticks and any number of influences. It is left-handed, so that z is mirrored.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// The file's text.
std::string x_file(const Character& character);

}  // namespace sinew::test
