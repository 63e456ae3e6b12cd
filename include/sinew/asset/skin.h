// The skin: which matrices a character's palette holds.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew {

/// One entry of the palette: `model_from_joint(joint) * joint_from_mesh`.
struct SkinJoint {
  int32_t joint = kNoJoint;    // kNoJoint: a constant, model_from_mesh, for what no joint moves
  Matrix3x4d joint_from_mesh;  // the inverse bind matrix
};

/// A character has one palette: the distinct (joint, inverse bind) pairs of all its meshes.
/// Influences name entries of this list, never joints. Entries ascend by joint, constants first.
struct Skin {
  std::vector<SkinJoint> entries;

  uint32_t palette_size() const { return uint32_t(entries.size()); }
};

/// Every entry names a joint of `skeleton` or none, is finite and in order. At most 65,536 entries.
Status validate(const Skin& skin, const Skeleton& skeleton);

}  // namespace sinew
