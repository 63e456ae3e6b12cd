// Skinned vertices as a file that mesh viewers open.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::app {

/// Binary little-endian PLY: for each vertex float x y z nx ny nz and uchar kind (0 static, 1 rigid, 2 skinned, as
/// PartKind), then the mesh's triangles. `positions` and `normals` hold a value for each vertex of `mesh`; `comment`
/// goes into the header, on one line.
std::string encode_ply(const Mesh& mesh, std::span<const Vec3> positions, std::span<const Vec3> normals,
                       const std::string& comment);

}  // namespace sinew::app
