// A writer of meshes of Doom 3's MD5, version 10. The format has rotations and translations of joints and any number of
// influences. It has no scale and no normals. Lengths are those of the character. Up is z, as in the format.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// The text of the mesh file. In the rest pose joints have the model's axes: MD5 leaves out a rotation's w, so that
/// rotations by almost 180 degrees lose precision.
std::string md5_mesh(const Character& character);

}  // namespace sinew::test
