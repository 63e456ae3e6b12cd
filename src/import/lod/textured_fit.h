// What the vertices of a level with textures get, so that its larger triangles look like the finest surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// `mesh` with other normals, tangents and texture coordinates at the vertices of `level`, triangles of its vertices:
/// those with which the level comes nearest to points all over the surface of `mesh`, by least squares. `positions` of
/// the vertices are in one space, such as a pose. Positions, morph targets, influences and colors stay: what bounds the
/// finest mesh in every pose bounds the level.
Mesh fitted_to_surface(const Mesh& mesh, std::span<const Vec3> positions, std::span<const uint32_t> level);

}  // namespace sinew::internal
