// A character as GLB: skinned meshes under one skin, every clip, up to eight influences a vertex.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// Linear tracks alone; the constant entries of a palette cannot be written.
std::string glb_file(const Character& character);

}  // namespace sinew::test
