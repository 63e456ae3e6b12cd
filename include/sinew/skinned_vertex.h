// The 16 bytes a skinned vertex has in memory, on the CPU and on the GPU.
#pragma once

#include <cstdint>

#include "sinew/math.h"

namespace sinew {

/// Position in model space, and the unit normal folded onto an octahedron: x in the low, y in the high 16 bits, each a
/// two's complement snorm. Vulkan: R32G32B32_SFLOAT at 0, R16G16_SNORM at 12.
/// Source: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014.
struct SkinnedVertex {
  float position[3] = {0, 0, 0};
  uint32_t normal = 0;
};
static_assert(sizeof(SkinnedVertex) == 16);

/// Unit vector to octahedral snorm 2x16, within 0.005 degrees.
uint32_t encode_normal(Vec3 unit_normal);

/// The unit vector nearest to what was encoded.
Vec3 decode_normal(uint32_t encoded);

}  // namespace sinew
