// The layouts of a skinned vertex in memory, the same on CPU and GPU. SkinnerInfo::format chooses one.
#pragma once

#include <cstdint>

#include "sinew/api.h"
#include "sinew/asset/math.h"

namespace sinew {

/// Position in model space, and the unit normal in octahedral encoding: x in the low and y in the high 16 bits, each a
/// two's complement snorm. Vulkan formats: R32G32B32_SFLOAT at offset 0, R16G16_SNORM at offset 12.
/// Source: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014.
struct SkinnedVertex {
  float position[3] = {0, 0, 0};
  uint32_t normal = 0;
};
static_assert(sizeof(SkinnedVertex) == 16);

/// Position in model space and unit normal, all floats. Vulkan formats: R32G32B32_SFLOAT at offsets 0 and 12.
struct FloatSkinnedVertex {
  float position[3] = {0, 0, 0};
  float normal[3] = {0, 0, 0};
};
static_assert(sizeof(FloatSkinnedVertex) == 24);

/// Position as 16-bit unorm x y z inside a box that contains all poses; the fourth value is 0. Normal as in
/// SkinnedVertex. Vulkan formats: R16G16B16A16_UNORM at offset 0, R16G16_SNORM at offset 8. The vertex shader of the
/// host computes box.low + unorm * (box.high - box.low). The error along an axis is at most half of the box's extent /
/// 65,535, plus float rounding.
struct PackedSkinnedVertex {
  uint16_t position[4] = {0, 0, 0, 0};
  uint32_t normal = 0;
};
static_assert(sizeof(PackedSkinnedVertex) == 12);

/// Encodes a unit vector as octahedral 2 x snorm16, with an error of at most 0.005 degrees.
SINEW_API uint32_t encode_normal(Vec3 unit_normal);

/// Decodes encode_normal(); the result has unit length.
SINEW_API Vec3 decode_normal(uint32_t encoded);

/// Encodes a unit tangent and its handedness w. With SkinnerInfo::tangents these 4 bytes follow each vertex of any
/// layout: vertices then have 16, 20 or 28 bytes. The direction is encoded like a normal, with an error of at most
/// 0.006 degrees; bit 16, the lowest bit of y, is 1 if w is -1. Vulkan formats: R16G16_SNORM for the direction;
/// R32_UINT for bit 16, or R16G16_SINT for bit 0 of its y.
SINEW_API uint32_t encode_tangent(Vec4 tangent);

/// Decodes encode_tangent(): x y z have unit length, w is 1 or -1.
SINEW_API Vec4 decode_tangent(uint32_t encoded);

/// The position of a packed vertex, in the space of `box`: the box given to Skinner::add_mesh().
SINEW_API Vec3 decode_position(const PackedSkinnedVertex& vertex, const Box& box);

}  // namespace sinew
