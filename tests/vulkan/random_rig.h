// Meshes and palettes from a seed: every vertex another normal, another number of influences, other joints.
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

/// Valid for a palette of `shape.joints`, about 2 units across, with tangents of either hand. Weights are multiples of
/// 1/65,535, so that the GPU's are the same to the last bit.
Mesh make_mesh(const RigShape& shape);

enum class Scaling { kUniform, kNonUniform, kMirrored };  // mirrored: non-uniform as well

/// Rotations, moves and scales that differ from joint to joint, yet never cancel where they are blended.
std::vector<Matrix3x4> make_palette(uint32_t joints, uint32_t seed, Scaling scaling);

}  // namespace sinew::test
