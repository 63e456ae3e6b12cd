// Stage two: several local poses become one.
#pragma once

#include <span>

#include "sinew/math.h"

namespace sinew {

/// A pose and how much of it. Poses and masks are borrowed for the call.
struct PoseLayer {
  std::span<const Transform> pose;       // joint_count, local space
  float weight = 1;                      // not negative
  std::span<const float> joint_weights;  // a mask: joint_count factors, not negative; empty: all ones
};

/// Writes the weighted mean of `layers` for every joint; a joint whose weights add to 0 keeps `rest_pose`.
///
/// Weights need not add to 1. Rotations are blended as quaternions whose signs follow the first layer of non-zero
/// weight, then normalised. `pose` may be one of the layers. All spans hold joint_count transforms.
void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose, std::span<Transform> pose);

}  // namespace sinew
