// Polygons as triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// Appends the triangles of a polygon, as numbers of its corners: a fan if it is convex, else by cutting ears. A
/// polygon of n corners gives n - 2 triangles; one with fewer than 3 gives none.
void triangulate(std::span<const Vec3> corners, std::vector<std::array<uint32_t, 3>>& triangles);

}  // namespace sinew::internal
