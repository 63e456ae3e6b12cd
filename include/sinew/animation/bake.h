// Baking: a character's clips resampled to uniform frames of 16-bit numbers, for the crowd evaluator.
//
// What is baked is not the local pose but each joint's movement relative to where the mesh was bound, so that walking
// the hierarchy gives skinning matrices at once. With B the joint's bind pose in model space (any fixed transform of
// the joint will do), its movement is M = B_parent * T*R*S * inverse(B), and its skinning matrix K = K_parent * M. M is
// stored as a rotation, the place its origin moves to and, where anything scales, a symmetric stretch: all linear in
// what a clip's keys interpolate, so blending commutes with baking.
#pragma once

#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew {

/// What a bake may come to: frames of all clips together, 4.8 hours at 30 a second, and frames times joints, 2.5 hours
/// of a character with 60. At that it takes a minute or two.
inline constexpr uint32_t kMaxBakedFrames = 1u << 19, kMaxBakedPoses = 1u << 24;

/// Called now and then on the thread that bakes: how much of the work is done, from 0 to 1.
struct BakeProgress {
  void* user_data = nullptr;
  void (*report)(void* user_data, double share) = nullptr;
};

/// Tries rates from low to high: the least, its doublings, the most, and the lowest with a frame on every key. Keeps
/// the first that holds the bound. BakedClip::error is the largest error measured at eight times per frame, multiplied
/// by 1.4 for the times in between; where no rate holds the bound it is above `max_error`. Steps and jumps may take one
/// frame, which is not counted. Refuses options and characters that are
/// not valid; kOutOfMemory; and (kUnsupported) clips that at the least rate come to more than kMaxBakedFrames or
/// kMaxBakedPoses, before any work: the message names the clip and the limit. Higher rates are not tried beyond that.
Result<BakedCharacter> bake(const Character& character, const BakeOptions& options = {},
                            const BakeProgress& progress = {});

}  // namespace sinew
