// What a skinned vertex is in memory, on the CPU and on the GPU.
#pragma once

#include <cstdint>

#include "sinew/asset/math.h"

namespace sinew {

/// Position in model space, and the unit normal folded onto an octahedron: x in the low, y in the high 16 bits, each a
/// two's complement snorm. Vulkan: R32G32B32_SFLOAT at 0, R16G16_SNORM at 12.
/// Source: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014.
struct SkinnedVertex {
  float position[3] = {0, 0, 0};
  uint32_t normal = 0;
};
static_assert(sizeof(SkinnedVertex) == 16);

/// The normal as floats, of unit length. Vulkan: R32G32B32_SFLOAT at 0 and at 12.
struct FloatSkinnedVertex {
  float position[3] = {0, 0, 0};
  float normal[3] = {0, 0, 0};
};
static_assert(sizeof(FloatSkinnedVertex) == 24);

/// The position as shares of a box that holds all poses, in 65,535ths; the fourth is 0. The normal as in SkinnedVertex.
/// Vulkan: R16G16B16A16_UNORM at 0, R16G16_SNORM at 8; whoever draws scales by the box and moves by its least corner.
/// Positions are within half a 65,535th of the box's extent along each axis, and what floats round.
struct PackedSkinnedVertex {
  uint16_t position[4] = {0, 0, 0, 0};
  uint32_t normal = 0;
};
static_assert(sizeof(PackedSkinnedVertex) == 12);

/// Unit vector to octahedral snorm 2x16, within 0.005 degrees.
uint32_t encode_normal(Vec3 unit_normal);

/// The unit vector nearest to what was encoded.
Vec3 decode_normal(uint32_t encoded);

/// Behind any of these, where tangents are skinned too: 4 bytes more, so that a vertex has 16, 20 or 28. The tangent is
/// folded like a normal, and bit 16, the last of y, is set where the handedness is -1. Within 0.006 degrees. Vulkan:
/// R16G16_SNORM is the tangent, as for normals; R32_UINT, or R16G16_SINT and its y, has the bit.
uint32_t encode_tangent(Vec4 tangent);

/// The unit vector nearest to what was encoded, w 1 or -1.
Vec4 decode_tangent(uint32_t encoded);

/// Where a packed vertex is.
Vec3 decode_position(const PackedSkinnedVertex& vertex, const Box& box);

}  // namespace sinew
