// The skin: the list of matrices in a character's palette.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew {

/// One palette entry, the matrix `model_from_joint(joint) * joint_from_mesh`.
struct PaletteEntry {
  int32_t joint = kNoJoint;    // kNoJoint: a constant entry, for vertices without a joint
  Matrix3x4d joint_from_mesh;  // the inverse bind matrix; of a constant entry model_from_mesh
};

/// A character has one palette for all its mesh parts: one entry for each distinct pair of joint and inverse bind
/// matrix. Influences hold indices of entries, never of joints. Entries ascend by joint; constant entries come first.
struct Skin {
  std::vector<PaletteEntry> entries;

  uint32_t palette_size() const { return uint32_t(entries.size()); }
};

/// The distance from one instance's palette to the next, in matrices: `palette_size` rounded up to a multiple of 4
/// matrices (192 bytes). If the first palette begins at a multiple of 64 bytes, so does every other one.
constexpr uint64_t palette_stride(uint64_t palette_size) { return align_up(palette_size, 4); }

/// Checks that there are at most 65,536 entries, and that each has a joint of `skeleton` or kNoJoint, is finite and in
/// order. Errors: kInvalidData with the entry's index in the message, kOutOfMemory.
SINEW_API Status validate(const Skin& skin, const Skeleton& skeleton);

}  // namespace sinew
