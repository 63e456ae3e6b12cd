// Baking: resamples a character's clips to frames with 16-bit values, for CrowdEvaluator.
//
// A frame holds joint deltas, not local poses: the motion of each joint relative to its bind pose. Walking the
// hierarchy over joint deltas gives skinning matrices directly. Let B be the joint's bind pose in model space (any
// fixed transform of the joint works). Then its joint delta is M = B_parent * T*R*S * inverse(B), and its skinning
// matrix is K = K_parent * M. M is stored as a rotation, the new position of the joint's origin and, if anything
// scales, a symmetric scale matrix. All three are linear in what tracks interpolate: blending baked frames equals
// baking blended poses.
#pragma once

#include <cstdint>

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew {

/// The limits of a bake: frames of all clips (4.8 hours at 30 frames per second), and frames times nodes (2.5 hours of
/// a character with 60 joints). A bake at the limit takes a minute or two.
inline constexpr uint32_t kMaxBakedFrames = 1u << 19, kMaxBakedPoses = 1u << 24;

/// Bakes every clip with the first set of frames whose error is at most BakeOptions::max_error. Frames at equal steps
/// are tried first, in ascending order: at the minimum rate and its doublings, at the maximum, and at the lowest rate
/// with a frame on every key. If none reach `max_error`, frames on the keys follow, where these are no more than those
/// at the maximum rate or 256, else frames at the minimum rate; and of these the steps are split whose error is too
/// large, up to twice that number. Where a value jumps (step key, keys with equal times), there are two frames at that
/// time, at the clip's end three. BakedClip::error is the largest error measured at eight times per frame, multiplied
/// by 1.4 for the times in between. If it is above `max_error`, no later set of frames reduced it by a tenth.
///
/// Time grows with frames times nodes, see kMaxBakedPoses. Calls may run in parallel. Errors: kInvalidArgument
/// (options), kInvalidData (character), kOutOfMemory, and before any work kUnsupported: at the minimum rate a clip
/// exceeds kMaxBakedFrames or kMaxBakedPoses; the message names clip and limit. Higher rates beyond those limits are
/// not tried. kUnsupported too where a bake would show another motion: a clip moves a joint beyond kMaxCoordinate, or
/// 16 bits hold a joint no better than within the extent of the whole character and `max_error`. Such a joint has keys
/// far beyond those of other joints; the message names clip and joint.
SINEW_API Result<BakedCharacter> bake(const Character& character, const BakeOptions& options = {},
                                      const BakeProgress& progress = {});

/// Bakes the clips of a character for another palette, that of a level of detail: ModelLevel::baked. `skin` has entries
/// of some joints of the character's skeleton. `target_count` is that of the level's mesh: that of the character's
/// mesh, or 0 for a bake without morph weights.
///
/// Only joints with an entry in `skin` become nodes. The motion of a joint above them without one is folded into their
/// deltas, and costs nothing. What follows from that:
/// - Every clip is within its BakedClip::error of evaluate_exact() for a character with this skin, as above; additive
///   clips on top of the rest pose. A folded bend moves what is below it along an arc, so a clip may need more frames.
/// - A blend mixes folded motions, not the joints. At weights 0 and 1 both are the same. Between them the origin of a
///   node is on the chord in place of the arc: off by at most r * (1 - cos(a / 2)) for a joint folded into it, r the
///   distance between both and `a` the angle between the joint's rotations in the two clips. Its rotation is off by
///   about a * b / 8, b that of the node's own joint, where both turn about different axes; where they add up to more
///   than half a turn, the blend may go the other way round. Several folded joints add up.
/// - An additive clip on another pose than the rest pose: the motion of a folded joint has the direction that it has on
///   top of the rest pose.
/// - A mask has a factor per joint of the skeleton: a folded joint takes the factor of the node below it.
///
/// Errors as above, of `skin` too; kInvalidArgument (`target_count`).
SINEW_API Result<BakedCharacter> bake(const Character& character, const Skin& skin, uint32_t target_count,
                                      const BakeOptions& options = {}, const BakeProgress& progress = {});

}  // namespace sinew
