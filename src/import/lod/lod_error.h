// The geometric error of a level of detail.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// A triangle list: three indices per triangle. `positions` may hold vertices that no triangle uses.
struct Surface {
  std::span<const Vec3> positions;
  std::span<const uint32_t> indices;
};

/// The largest distance from a vertex of `fine` to the nearest point of `coarse`, in the units of the positions.
/// `coarse` must have a triangle. Above 20,000 vertices only every second, third... is measured: at least 10,000.
double largest_distance(const Surface& fine, const Surface& coarse);

}  // namespace sinew::internal
