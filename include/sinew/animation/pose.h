// The exact evaluator's four stages, in the order in which they run: sample, blend, walk the hierarchy, build the
// palette.
//
// One instance at a time, from the keys as the file has them. It is the reference of every test; see
// sinew/animation/evaluator.h for crowds. All calls may run in parallel on different outputs; none allocates but
// make_additive().
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew {

// --- a clip at a time becomes a local pose ---

enum class Looping : uint8_t { kClamp, kLoop, kPingPong };

/// The clip's time after `seconds` of playback from its start; `seconds` may be negative, as with negative speed.
/// A clip of no duration gives its start, as does a time that is not finite.
float clip_time(const Clip& clip, double seconds, Looping looping);

enum class RotationBlend : uint8_t { kSlerp, kNlerp };

/// Writes the local pose of every joint at `time_seconds` of the clip's own time, held at the clip's ends.
///
/// `pose` holds joint_count transforms, each relative to the parent; what no track animates keeps the rest pose, or of
/// an additive clip no difference.
/// Rotations take the shorter arc and are of unit length. `clip` and `skeleton` must be valid for each other.
/// Calls may run in parallel on different outputs.
void sample_clip(const Clip& clip, const Skeleton& skeleton, float time_seconds, std::span<Transform> pose,
                 RotationBlend rotation_blend = RotationBlend::kSlerp);

// --- local poses become one, and differences are added to it ---

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
/// weight, then normalized. `pose` may be one of the layers. All spans hold joint_count transforms.
void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose, std::span<Transform> pose);

/// Adds `layer`, a pose of differences, to `pose`: t + w * dt, R * nlerp(1, dR, w), S * (1 + w * (dS - 1)), where w is
/// the masked weight, at most 1.
void add_pose(const PoseLayer& layer, std::span<Transform> pose);

/// The clip whose tracks are what `clip` does beyond `reference`, a local pose of joint_count transforms (often the
/// clip's own first): t - t_ref, conjugate(R_ref) * R, S / S_ref, and 1 where S_ref is 0. Both evaluators add such a
/// clip to what other layers play. Refuses a clip or a pose that does not fit the skeleton, and one that is additive
/// already.
Result<Clip> make_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference);

// --- a local pose becomes one in model space ---

/// model_from_joint(j) = model_from_joint(parent) * T * R * S, and model_from_root above the roots.
///
/// `pose` and `model_from_joint` hold joint_count elements; they may not overlap.
void walk_hierarchy(const Skeleton& skeleton, std::span<const Transform> pose, std::span<Matrix3x4d> model_from_joint);

// --- joints in model space become the matrices that a vertex is multiplied with ---

/// palette[e] = model_from_joint(joint of e) * joint_from_mesh(e), rounded once to float; constants as they are.
///
/// `palette` holds palette_size matrices of 48 bytes and is written in order, never read: it may be mapped memory.
void build_palette(const Skin& skin, std::span<const Matrix3x4d> model_from_joint, std::span<Matrix3x4> palette);

}  // namespace sinew
