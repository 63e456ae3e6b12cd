// Retargeting: a clip of one character, played by another whose joints have the same names, but for a prefix.
//
// It is simple on purpose. Rotations are taken relative to the rest pose, in model space, so that the axes of the
// joints may differ; both rest poses should show the same posture. The root's translation is scaled by the heights of
// the skeletons. Nothing else is moved: feet may slide where legs have other proportions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew {

/// A joint of the skeleton that a clip is made for, and the joint that it moves in another one.
struct JointPair {
  uint32_t from = 0, to = 0;
};

/// Pairs joints by name, ascending by `to`. VRM's human bones are paired first (Skeleton::humanoid_names), then equal
/// names: of several joints with a name those with the most equal names above them, below one parent those at the same
/// place. Joints without a name (empty, or node_ and a number) pair by their place below joints that pair. Other names
/// are compared without what ends with their last ':' or '|', and without a prefix that three quarters of the
/// skeleton's joints have. Names that may pair in several ways pair none. Case matters. Errors: kInvalidArgument (no
/// pair), kOutOfMemory.
SINEW_API Result<std::vector<JointPair>> pair_joints(const Skeleton& from, const Skeleton& to);

/// The most work of one call of retarget() or retarget_clips(): times of keys, times the joints of both skeletons; keys
/// of morph weights count as well. That is 20 minutes at 120 keys per second for skeletons of 60 joints.
inline constexpr uint32_t kMaxRetargetedPoses = 1u << 24;

/// The clip of `from` for `to`. Its keys are at all times at which a paired joint has one; between them, cubic tracks
/// get 60 keys per second. Weights of morph targets are matched by name, others are left out.
///
/// A paired joint's rotation in model space is d * r: r is its own in the rest pose, d the rotation of the clip's joint
/// from its rest pose. The root is the first paired joint that the clip translates, itself or a joint above it without
/// a pair. It moves from its rest position like the clip's, times height(to) / height(from). A height is that of VRM's
/// hips above the origin in the rest pose if both skeletons have them, else the extent of the joints along the up axis.
/// Axes are those of Character::space. Without a mesh the rest pose is often a frame of the motion, except in VRM
/// files, whose rest pose is a T-pose: the axes of paired joints are then taken to lie in space, in the rest pose, as
/// those of `to` do. Both characters, and `clip` for `from`, must be valid.
///
/// Errors: kInvalidArgument (no pairs, a pair out of range or out of order, an additive clip), kUnsupported (a
/// skeleton without height, where the clip moves the root; more than kMaxRetargetedPoses), kOutOfMemory.
SINEW_API Result<Clip> retarget(const Clip& clip, const Character& from, const Character& to,
                                std::span<const JointPair> pairs);

/// All clips of `from` for `to`, each as by retarget(). The limit holds for all together. Errors: as of retarget().
SINEW_API Result<std::vector<Clip>> retarget_clips(const Character& from, const Character& to,
                                                   std::span<const JointPair> pairs);

}  // namespace sinew
