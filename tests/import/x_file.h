// A character as DirectX's .x, text: one file with the mesh, the skin and every clip. .x holds any transforms, keys at
// whole ticks and any number of influences; it is left-handed, so that z is mirrored.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// How an animation's keys are written.
enum class XKeys { kMatrices, kRotationsScalesPositions };

std::string x_file(const Character& character, XKeys keys);

}  // namespace sinew::test
