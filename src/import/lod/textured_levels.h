// Levels of detail that keep the parts, materials and texture coordinates of the finest mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/import/lod.h"

namespace sinew::internal {

// Meshes of levels that consist of vertices of the finest mesh.

/// The mesh with its hard edges smoothed: vertices that differ only in the directions of normal and tangent are merged
/// into the first of them.
Mesh smoothed(const Mesh& mesh);

/// The mesh with these triangles of it, and the vertices that they need. `indices` has the triangles of a part
/// together, parts in the order of the mesh.
Mesh level_mesh(const Mesh& mesh, std::span<const uint32_t> indices);

// What the vertices of a level with textures get, so that its larger triangles look like the finest surface.

/// `mesh` with other normals, tangents and texture coordinates at the vertices of `level`, triangles of its vertices:
/// those with which the level comes nearest to points all over the surface of `mesh`, by least squares. `positions` of
/// the vertices are in one space, such as a pose. Positions, morph targets, influences and colors stay: what bounds the
/// finest mesh in every pose bounds the level.
Mesh fitted_to_surface(const Mesh& mesh, std::span<const Vec3> positions, std::span<const uint32_t> level);

/// Checks shares and the largest error. Error: kInvalidArgument.
Status validate(const LodOptions& options);

struct TexturedLevel {
  Mesh mesh;
  std::vector<uint32_t> indices;  // its triangles, as vertices of the finest mesh
};

/// What the vertices of levels have.
enum class LevelVertices : uint8_t {
  kOfFinest,  // normals and texture coordinates of the finest mesh
  kFitted,    // those of fitted_to_surface()
};

/// For each share, the mesh with that share of its triangles, until it gets no simpler or an edge would move by more
/// than `max_distance`. `poses` are positions of the vertices, in each of which the surface is to look the same.
std::vector<TexturedLevel> make_textured_levels(const Mesh& mesh, const std::vector<std::span<const Vec3>>& poses,
                                                std::span<const float> triangle_shares, double max_distance,
                                                LevelVertices vertices);

}  // namespace sinew::internal
