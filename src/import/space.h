// The axes and units that a file gives, made valid.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::internal {

/// Makes `space` valid, with a line in `warnings` for each value that was replaced. A unit that is no length, or none
/// that validate() accepts, becomes `default_unit`; an up axis without direction +y; a front axis without direction, or
/// along the up axis, the one that is usual for the up axis. Other axes get unit length, and the front axis is made
/// perpendicular to the up axis. Throws std::bad_alloc.
void repair_space(ModelSpace& space, std::vector<std::string>& warnings, float default_unit = 1);

}  // namespace sinew::internal
