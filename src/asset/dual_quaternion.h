// Dual-quaternion skinning: palette entries as stretch, rotation and translation. Rotations and translations of a
// vertex's influences are blended as dual quaternions, stretches as matrices.
// Source: Kavan, Collins, Zara, O'Sullivan: Geometric skinning with approximate dual quaternion blending, 2008.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// A matrix as translation * rotation * stretch: the polar decomposition of its linear part.
struct SplitMatrix {
  std::array<double, 4> rotation = {0, 0, 0, 1};  // unit quaternion: x y z w
  std::array<double, 3> translation = {};
  std::array<std::array<double, 3>, 3> stretch = {};  // symmetric; its trace is negative if the matrix mirrors
};

/// Splits any finite matrix. If the linear part is singular, the rotation is one of those that fit, and the parts are
/// exact to 1e-6 of the matrix.
SplitMatrix split(const Matrix3x4& matrix);

/// Writes a palette as kernels read it for dual-quaternion skinning: shaders/shared/dual_quaternion.glsl has the
/// layout. `packed` is never read: it may be mapped memory. Matrices that are not finite give elements that are not.
SINEW_API void pack_palette(std::span<const Matrix3x4> palette, std::span<Matrix3x4> packed);

/// The blended matrices of vertices, one after the other. Entries that were split for the last vertices are kept.
class DualQuaternionBlend {
 public:
  /// `palette` must outlive the blend.
  explicit DualQuaternionBlend(std::span<const Matrix3x4> palette) : palette_(palette) { entries_.fill(UINT32_MAX); }

  /// The heaviest influence is first. Entries with weight 0 are not read: they may be NaN.
  Matrix3x4d blended_matrix(std::span<const Influence> influences);

 private:
  static constexpr uint32_t kKept = 32;

  const SplitMatrix& split_entry(uint32_t entry);

  std::span<const Matrix3x4> palette_;
  std::array<uint32_t, kKept> entries_;  // whose split is in the same place of `splits_`
  std::array<SplitMatrix, kKept> splits_;
};

}  // namespace sinew::internal
