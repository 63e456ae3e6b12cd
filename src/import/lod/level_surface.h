// What the vertices of a small level look like: normals, colors and masks of the surface that they stand for.
#pragma once

#include <vector>

#include "lod/small_levels.h"
#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// As Mesh has them, one of each for each vertex. Masks: make_levels() of sinew/import/lod.h.
struct LevelSurface {
  std::vector<Vec3> normals;
  std::vector<VertexColor> colors;
  std::vector<Vec2> uvs, second_uvs;  // no second ones without masks
};

/// From what is seen of the finest mesh nearest to each triangle of the small one.
LevelSurface surface_of(const FinestMesh& finest, const SmallMesh& small);

}  // namespace sinew::internal
