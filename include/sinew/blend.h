// Stage two: several local poses become one, and differences are added to it.
#pragma once

#include <span>

#include "sinew/clip.h"
#include "sinew/math.h"
#include "sinew/result.h"
#include "sinew/skeleton.h"

namespace sinew {

/// A pose and how much of it. Poses and masks are borrowed for the call.
struct PoseLayer {
  std::span<const Transform> pose;       // joint_count, local space
  float weight = 1;                      // not negative
  std::span<const float> joint_weights;  // a mask: joint_count factors, not negative; empty: all ones
};

/// Writes the weighted mean of `layers` for every joint. A joint whose masked weights add to 0 follows the first layer
/// that has any weight; without such a layer all keep `rest_pose`.
///
/// Weights need not add to 1. Rotations are blended as quaternions whose signs follow the first layer of non-zero
/// weight, then normalised. `pose` may be one of the layers. All spans hold joint_count transforms.
void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose, std::span<Transform> pose);

/// Adds `layer`, a pose of differences, to `pose`: t + w * dt, R * nlerp(1, dR, w), S * (1 + w * (dS - 1)), where w is
/// the masked weight, at most 1.
void add_pose(const PoseLayer& layer, std::span<Transform> pose);

/// The clip whose tracks are what `clip` does beyond `reference`, a local pose of joint_count transforms (often the
/// clip's own first): t - t_ref, conjugate(R_ref) * R, S / S_ref, and 1 where S_ref is 0. Both evaluators add such a
/// clip to what other layers play. Refuses a clip or a pose that does not fit the skeleton, and one that is additive
/// already.
Result<Clip> make_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference);

}  // namespace sinew
