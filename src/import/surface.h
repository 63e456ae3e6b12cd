// Normals for meshes that lack them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math.h"

namespace sinew {

/// The mean normal of the triangles around each vertex, weighted by area; +z where there are none. Indices in range.
std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices);

}  // namespace sinew
