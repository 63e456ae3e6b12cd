// What the vertices of a level with textures get, so that its larger triangles lie and look like the finest surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// `mesh` with other positions, normals, tangents and texture coordinates at the vertices of `level`, triangles of its
/// vertices: those with which the level comes nearest to points all over the surface of `mesh`, by least squares.
/// Vertices at one place in all `poses` stay together. If they are at several places of mesh space, as where parts of
/// different spaces meet, they keep their positions. Morph targets, influences and colors stay.
Mesh fitted_to_surface(const Mesh& mesh, std::span<const uint32_t> level,
                       const std::vector<std::span<const Vec3>>& poses);

}  // namespace sinew::internal
