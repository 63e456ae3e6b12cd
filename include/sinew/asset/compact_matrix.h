// Palettes of 16 bytes a joint, for matrices that only rotate and move, and scale by one constant.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/skin.h"

namespace sinew {

/// A rotation and a translation. The rotation is a unit quaternion: its largest component is left out, the other three
/// are signed numbers q of 20 bits, in units of sqrt(1/2) / 524,287. The translation has three signed numbers t of 20
/// bits, in units of 2^(exponent - 19), where 2^exponent is above its largest coordinate.
///
///   words[0] to [2]   bits 0 to 19: q, in the order x y z w; bits 20 to 31: the lower 12 bits of t
///   words[3]          bits 0 to 23: the upper 8 bits of each t; 24 and 25: which component of the quaternion is left
///                     out; 26 to 31: exponent + 24, at least 0
///
/// A point at distance d from the origin, and at distance e after the transform, is off by at most 9e-6 d + 4e-6 e:
/// 0.024 mm for a person of 1.8 m.
struct CompactMatrix {
  uint32_t words[4];
};

/// Packs `matrix`. Its 3x3 part must be a rotation times `scale`, and `scale` above 0; otherwise the rotation of the
/// result is unspecified.
SINEW_API CompactMatrix compact(const Matrix3x4& matrix, float scale = 1);

/// The matrix again: the rotation times `scale`, and the translation.
SINEW_API Matrix3x4 expand(const CompactMatrix& compact, float scale = 1);

/// Like palette_stride(), in compact matrices: 4 morph weights take the room of one.
constexpr uint64_t compact_palette_stride(uint64_t palette_size, uint64_t target_count = 0) {
  return align_up(palette_size, 4) + align_up((target_count + 3) / 4, 4);
}

/// The morph weights behind the first palette of `palettes`, and all floats after them. Those of the next instance are
/// 4 * compact_palette_stride() floats further on. Empty if `palettes` has no room for one palette.
inline std::span<float> weights_behind(std::span<CompactMatrix> palettes, uint64_t palette_size) {
  if (palette_size > palettes.size() || compact_palette_stride(palette_size) > palettes.size()) return {};
  const std::span<CompactMatrix> behind = palettes.subspan(size_t(compact_palette_stride(palette_size)));
  return {reinterpret_cast<float*>(behind.data()), behind.size_bytes() / sizeof(float)};
}

}  // namespace sinew
