// A writer of Doom 3's MD5, version 10: one file for the mesh, and one for each clip. The format has rotations and
// translations of joints, any number of influences, and one key per frame. It has no scale and no normals. Lengths are
// those of the character. Up is z, as in the format.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// The text of the mesh file. In the rest pose joints have the model's axes: MD5 leaves out a rotation's w, so that
/// rotations by almost 180 degrees lose precision.
std::string md5_mesh(const Character& character);

/// The text of the animation file of one clip.
std::string md5_animation(const Character& character, const Clip& clip);

}  // namespace sinew::test
