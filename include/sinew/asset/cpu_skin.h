// The CPU skinner: the reference that tests compare every GPU path with. It is simple, computes in double precision,
// and was written independently of the shaders.
#pragma once

#include <span>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew {

/// Skins every vertex of `mesh`, as Mesh::blend says. With dual quaternions each matrix is split into a stretch, a
/// rotation and a translation: stretches are blended linearly and applied first, rotations and translations are blended
/// as dual quaternions, with the sign that is nearest to the heaviest influence's.
///
/// `palette` holds one matrix per palette entry, each model_from_mesh. `positions` and `normals` receive vertex_count
/// values each, in model space. Normals have unit length and are correct under non-uniform scale: they are transformed
/// by the cofactors of the blended matrix. `mesh` must be valid for a palette of that size; sizes of outputs are
/// asserted. Calls may run in parallel on different outputs. Allocates nothing.
///
/// `tangents` is empty, or receives vertex_count tangents; then `mesh` must have tangents. Tangents are transformed by
/// the blended matrix and have unit length; one that is perpendicular to the normal stays so. If the matrix mirrors,
/// the handedness w changes sign, so that the bitangent cross(normal, tangent) * w follows the matrix. A normal or
/// tangent that the matrix maps to zero keeps its direction in mesh space.
///
/// `weights` is empty, or holds the weights of an instance, one per morph target. Before the blend, targets whose
/// weight is not 0 are added to positions, normals and tangents. With `weights` the outputs are read too, so they
/// should not be mapped memory.
SINEW_API void skin_on_cpu(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<Vec3> positions,
                           std::span<Vec3> normals, std::span<Vec4> tangents = {}, std::span<const float> weights = {});

}  // namespace sinew
