// The alpha modes of materials, by what their parts show.
#pragma once

#include "scene.h"

namespace sinew::internal {

/// Makes materials opaque that mask or blend but have no transparent place: exporters often write such materials, and
/// opaque surfaces need no order and hide what is behind them. All meshes must have a material.
void simplify_alpha(Scene& scene);

}  // namespace sinew::internal
