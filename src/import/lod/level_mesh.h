// Meshes of levels that consist of vertices of the finest mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// The mesh with its hard edges smoothed: vertices that differ only in the directions of normal and tangent are merged
/// into the first of them.
Mesh smoothed(const Mesh& mesh);

/// The mesh with these triangles of it, and the vertices that they need. `indices` has the triangles of a part
/// together, parts in the order of the mesh.
Mesh level_mesh(const Mesh& mesh, std::span<const uint32_t> indices);

}  // namespace sinew::internal
