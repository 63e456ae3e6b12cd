// Levels of detail: coarser versions of a mesh, for characters that are small on screen.
#pragma once

#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/level.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew {

/// Which levels make_levels() makes.
struct LodOptions {
  /// For each level, the share of the mesh's triangles that it keeps: above 0, below 1, descending.
  std::vector<float> triangle_shares = {0.5f, 0.25f, 0.125f, 0.0625f};
  /// The largest distance that the simplifier may move the surface by its own estimate, as a share of the diagonal of
  /// the mesh's bounding box. Above 0.
  float max_error = 0.05f;
};

/// Makes levels coarser than `mesh`, which is itself the finest level and not in the result. Makes fewer levels than
/// LodOptions has if the mesh gets no simpler, and none if it has no triangles.
///
/// Vertices of a level are vertices of the mesh, with their normals, tangents, uvs, colors and influences: all levels
/// are skinned with the same palettes. Parts are those of the mesh in the same order; a part may have no triangles.
/// Seams stay closed, also between parts. If hard edges prevent simplification, normals and tangents are averaged
/// across them, but not tangents of different handedness. Vertices are ordered for the vertex cache, then by
/// order_by_influences().
///
/// `positions` are the positions in which the mesh is simplified and errors are measured: vertex_count of them in model
/// space. If empty, mesh.positions are used, which is right if all parts share one space. The simplifier merges
/// triangles that lie in a plane: a pose with bent joints keeps more triangles at the joints than straight limbs do.
///
/// Equal input gives equal levels. Calls may run in parallel. Errors: kInvalidArgument (options, positions),
/// kInvalidData (mesh), kOutOfMemory. Source: meshoptimizer 0.18; quadric error metrics, Garland and Heckbert, 1997.
SINEW_API Result<std::vector<ModelLevel>> make_levels(const Mesh& mesh, std::span<const Vec3> positions = {},
                                                      const LodOptions& options = {});

}  // namespace sinew
