// The CPU skinner: the oracle every GPU path is held against. Plain, double precision inside, written without a look
// at the shaders.
#pragma once

#include <span>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew {

/// Linear blend skinning of every vertex of `mesh`.
///
/// `palette` holds the skin's entries, model space from mesh space. `positions` and `normals` receive vertex_count
/// values each in model space; normals are unit length and right under non-uniform scale (cofactors of the blended
/// matrix). `mesh` must be valid for a palette of that size. Calls may run in parallel on different outputs.
///
/// `tangents` may be empty; else the mesh must have tangents, and as many are received: moved like lines of the
/// surface, of unit length, and perpendicular to the normal where they were. Where the blended matrix mirrors, the
/// handedness turns: the bitangent, cross(normal, tangent) * w, goes where the matrix takes it. What is flattened to
/// nothing stays as it was.
void skin_on_cpu(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<Vec3> positions,
                 std::span<Vec3> normals, std::span<Vec4> tangents = {});

}  // namespace sinew
