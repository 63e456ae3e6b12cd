// Bounds: boxes that hold every vertex of an instance, so that what is not seen need not be evaluated.
//
// A skinned vertex lies between the places its palette entries put it to, so that the boxes of each entry's vertices,
// moved as the entry moves, hold them all. A clip alone is looked at frame by frame. Where layers are blended, added or
// masked, all that is known of a joint is the range of its movement: a cone of rotations and a box of places; the
// skeleton's reach within those is what the box holds, whatever the weights.
#pragma once

#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// Of more clips no pairs are measured, for their number grows as its square.
inline constexpr size_t kMaxPairedClips = 256;

/// Boxes in model space, of vertices as CrowdEvaluator poses them. Plain data; share it between threads.
struct CharacterBounds {
  std::vector<Box> clips;  // each alone, at any time; of an additive clip the same as `layered`
  std::vector<Box> pairs;  // of clips a <= b, blended by any weights and masks, at b * (b + 1) / 2 + a; or none
  Box rest;                // nothing is played
  Box blended;             // any clips that are not additive, any weights and masks
  Box layered;             // the same or the rest pose, and any of the additive clips on top
};

/// Measures them once: some thirty milliseconds for twenty clips of 60 joints and 5,000 vertices.
///
/// Between two frames a vertex leaves the line from one to the other by no more than an eighth of its largest second
/// derivative, which is bounded by how fast each joint above it turns and moves; what that is is added, and where it is
/// much, places between are looked at too. On top comes what rounding to 16 bits and to floats can do. The exact
/// evaluator stays inside but for the bake's error. Refuses a mesh that is not valid, a bake that is not of this
/// character, and (kInvalidData) one that reaches beyond what floats hold; kOutOfMemory. A mesh without vertices has
/// empty boxes at the origin. Source of the reach: none known; it is the support function of a chain whose directions
/// are known to lie in cones.
Result<CharacterBounds> measure_bounds(const Character& character, const BakedCharacter& baked);

/// The box of what an instance plays. `bounds` must be of `baked`. Any playback is safe, as in CrowdEvaluator.
Box bounds_of(const CharacterBounds& bounds, const BakedCharacter& baked, const Playback& playback);

}  // namespace sinew
