// How far a coarser surface is from the one it was made of.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/math.h"

namespace sinew {

/// A surface: three indices a triangle, into positions that may be others' too.
struct Surface {
  std::span<const Vec3> positions;
  std::span<const uint32_t> indices;
};

/// The largest distance of a vertex of `fine` from the nearest point of `coarse`, which has a triangle at least. Of
/// many vertices every second, third... is looked at, some ten thousand.
double largest_distance(const Surface& fine, const Surface& coarse);

}  // namespace sinew
