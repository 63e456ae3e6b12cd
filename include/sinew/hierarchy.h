// Stage three: a local pose becomes one in model space.
#pragma once

#include <span>

#include "sinew/math.h"
#include "sinew/skeleton.h"

namespace sinew {

/// model_from_joint(j) = model_from_joint(parent) * T * R * S, and model_from_root above the roots.
///
/// `pose` and `model_from_joint` hold joint_count elements; they may not overlap.
void walk_hierarchy(const Skeleton& skeleton, std::span<const Transform> pose, std::span<Matrix3x4d> model_from_joint);

}  // namespace sinew
