// Random meshes and palettes from a seed. Normals, numbers of influences and joints differ from vertex to vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {

struct RigShape {
  uint32_t vertices = 100, joints = 8;
  uint32_t min_influences = 1, max_influences = 4;
  uint32_t seed = 1;
};

/// A mesh within a cube of 2 units, with tangents of both signs, valid for a palette of `shape.joints` entries. Weights
/// are multiples of 1/65,535, so that the GPU has exactly the same ones.
Mesh make_mesh(const RigShape& shape);

enum class Scaling { kUniform, kNonUniform, kMirrored };  // mirrored: non-uniform as well

/// One matrix for each joint: rotations, translations and scales differ. They are limited so that blended matrices
/// never cancel.
std::vector<Matrix3x4> make_palette(uint32_t joints, uint32_t seed, Scaling scaling);

}  // namespace sinew::test
