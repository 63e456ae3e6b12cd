// Merging of identical vertices.
#pragma once

#include "scene.h"

namespace sinew::internal {

/// Merges vertices whose positions, normals, tangents, uvs, colors and influences are equal bit by bit. Vertices keep
/// the order in which the triangles first use them. Unused vertices are removed. For readers that give every triangle
/// three vertices of its own.
void weld(SceneMesh& mesh);

}  // namespace sinew::internal
