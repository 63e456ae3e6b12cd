// Models that take seconds to make: the build makes them once, and tests open them.
#pragma once

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/model.h"
#include "sinew/asset/result.h"

namespace sinew::test {

/// The built-in character as its file has it.
Character built_in_character();

/// A box of 24 vertices around the origin that follows no joint.
Character box_character(Vec3 half);

/// The built-in character as load_model() makes it.
Result<SharedModel> make_plain_model();

/// The same with the socket "hand", and the masks "arm" and "rest".
Result<SharedModel> make_built_in_model();

/// The built-in character with the wearables "hat" (a box above the head), "suit" (its own mesh, made of other entries)
/// and "shield" (a box at the left hand), and with the socket "hand".
Result<SharedModel> make_dressed_model();

}  // namespace sinew::test
