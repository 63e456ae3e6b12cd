// Levels of detail: the same mesh with fewer and fewer triangles, for characters that are small on screen.
#pragma once

#include <span>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew {

struct LodOptions {
  /// The triangles of each level, as a share of the mesh's: between 0 and 1, descending.
  std::vector<float> triangle_shares = {0.5f, 0.25f, 0.125f, 0.0625f};
  /// The simplifier stops where it estimates that it would move the surface further, as a share of the diagonal.
  float max_error = 0.05f;
};

/// A mesh of its own: what was not needed is not in it.
struct MeshLevel {
  Mesh mesh;
  float error = 0;  // how far the farthest of the finest's vertices is from its surface, as a share of the diagonal
};

/// Makes levels coarser than `mesh`, which itself is the finest and not among them. Fewer than asked for where it will
/// not get simpler, none where it has no triangles.
///
/// A level's vertices are some of the mesh's, with their normals, tangents, texture coordinates and influences, so that
/// it is skinned with the same palettes; its parts are the mesh's in the same order, though one may be left without
/// triangles. Seams stay closed, also between parts. Where the seams of hard edges leave too much standing, normals
/// are smoothed instead, and tangents, never across a change of handedness. Its vertices are ordered for the caches,
/// and as order_by_influences() does.
///
/// `positions` is where the vertices lie when the mesh is judged: vertex_count of them in model space, or none for
/// mesh.positions, which is right where all its parts share one space. Whatever lies flat there is merged, joints
/// included: a pose with bent joints keeps more of what they need than one with straight limbs. The same input gives
/// the same levels. Refuses invalid meshes and options that make no sense; kOutOfMemory. Calls may run in parallel.
/// Source: meshoptimizer 0.18; quadric error metrics, Garland and Heckbert, 1997.
Result<std::vector<MeshLevel>> make_levels(const Mesh& mesh, std::span<const Vec3> positions = {},
                                           const LodOptions& options = {});

}  // namespace sinew
