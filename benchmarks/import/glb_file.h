// A writer of GLB: skinned meshes with one skin, every clip, and up to eight influences per vertex.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// The file's bytes. Tracks must be linear, and the palette must have no constant entries.
std::string glb_file(const Character& character);

}  // namespace sinew::test
