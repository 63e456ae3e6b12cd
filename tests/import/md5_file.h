// A character as Doom 3's MD5, version 10: the mesh and each clip in files of their own. MD5 holds joints that turn and
// move, any number of influences, one key a frame, and neither scales nor normals. Lengths are as the character's; up
// becomes z, as the format has it.
#pragma once

#include <string>

#include "sinew/asset/character.h"

namespace sinew::test {

/// Joints get the model's axes at rest: a file leaves out w, so that turns by nearly half a circle lose their digits.
std::string md5_mesh(const Character& character);

std::string md5_animation(const Character& character, const Clip& clip);

}  // namespace sinew::test
