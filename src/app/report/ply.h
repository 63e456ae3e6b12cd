// Skinned vertices as a PLY file, which mesh viewers open.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::app {

/// Returns the bytes of a binary little-endian PLY file: for each vertex float x y z nx ny nz and uchar kind (0 static,
/// 1 rigid, 2 skinned, as PartKind), then the mesh's triangles. `positions` and `normals` hold one value for each
/// vertex of `mesh`, in its order. `comment` is written to the header as one line; its control characters become '?'.
std::string encode_ply(const Mesh& mesh, std::span<const Vec3> positions, std::span<const Vec3> normals,
                       const std::string& comment);

}  // namespace sinew::app
