// Levels of detail that keep the parts, materials and texture coordinates of the finest mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/import/lod.h"

namespace sinew::internal {

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
