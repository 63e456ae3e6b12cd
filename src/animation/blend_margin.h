// How far dual-quaternion skinning carries vertices away from where linear blending puts them.
#pragma once

#include "sinew/asset/character.h"

namespace sinew::internal {

/// The largest distance that was measured, in model units, and a quarter more for what lies between the samples: some
/// vertices at some times of each clip that is not additive. 0 with linear blending. Throws std::bad_alloc.
double blend_margin(const Character& character);

}  // namespace sinew::internal
