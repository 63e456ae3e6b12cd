// Bounds: boxes that contain every vertex of an instance, so that culled instances need no evaluation.
//
// A skinned vertex is a weighted mean of the positions that its palette entries give it. So the box around each entry's
// vertices, moved with the entry, contains them. A single clip is measured frame by frame. For blended, added or masked
// layers only the range of each joint delta is known: a cone of rotations, a box of translations, a range of scales.
// The box around every pose in these ranges (the bounding extent) is valid for any weights. Vertices that morph targets
// move count with every position that the weights of the baked clips can give them. Dual-quaternion skinning carries
// vertices out of these boxes; a margin is added for it, which is derived from the angles and distances between joints
// that move the same vertices: no pose, blend or layer goes beyond it.
#pragma once

#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/wearable.h"

namespace sinew {

/// With more clips, CharacterBounds::pairs stays empty: the number of pairs is quadratic. So it does where the pairs
/// times the nodes of the bake are more than 4 million, which would take seconds.
inline constexpr size_t kMaxPairedClips = 256;

/// Measures the bounds of a character. Call it once: it takes some 30 ms for 20 clips, 60 joints and 5,000 vertices,
/// 100 ms with dual quaternions. The time grows with frames times nodes of the bake: seconds for a bake at its limit.
/// Calls may run in parallel.
///
/// Between two frames a vertex leaves the straight line by at most 1/8 of its largest second derivative (time in
/// frames). The speeds of the joints above bound that derivative. The bound is added as a margin; where the margin is
/// large, poses between the frames are measured too. A second margin covers rounding to 16 bits and to float. Vertices
/// of the exact evaluator lie inside except for the bake's error. A mesh without vertices has empty boxes at the
/// origin. Source of the bounding extent: none known; it is the support function of a chain of joints whose directions
/// lie in known cones.
///
/// Errors: kInvalidData (mesh or bake not valid, or coordinates beyond float), kInvalidArgument (bake of another
/// character), kOutOfMemory.
///
/// With `wearables` the bounds contain all of these too: their finest meshes, which are valid for the character.
SINEW_API Result<CharacterBounds> measure_bounds(const Character& character, const BakedCharacter& baked,
                                                 std::span<const Wearable> wearables = {});

/// The box around an instance that plays `playback`. `bounds` must be measured from `baked`. Any values in `playback`
/// are safe: layers that CrowdEvaluator ignores are ignored. Calls may run in parallel. Allocates nothing.
SINEW_API Box bounds_of(const CharacterBounds& bounds, const BakedCharacter& baked, const Playback& playback);

/// How far, in model units, `chains` can carry a vertex out of the boxes above: whatever plays, whatever the targets.
/// A chain can by twice the reach of its first joint, with all that hangs on it: an arm of 0.75 m by 1.5 m. Chains that
/// hang on each other add up; the largest sum counts. 0 without chains. Errors: those of measure_bounds() and of
/// validate() for chains.
SINEW_API Result<float> measure_chain_margin(const Character& character, const BakedCharacter& baked,
                                             std::span<const Chain> chains, std::span<const Wearable> wearables = {});

}  // namespace sinew
