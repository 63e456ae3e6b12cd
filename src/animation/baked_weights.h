// Morph weights: at one time from the keys, baked, and read from a bake.
#pragma once

#include <span>

#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

// Baking morph weights, and reading them.

/// Fills the morph weights of `baked`, whose clips are there already. Fails like bake().
Status bake_weights(const Character& character, double units_per_meter, BakedCharacter& baked);

/// Two neighboring frames of a clip's weights, one value per target of the clip, and the position between them.
struct WeightFrames {
  std::span<const float> from, to;
  float share = 0;

  float at(size_t i) const { return from[i] + (to[i] - from[i]) * share; }
};

/// The frames around any time. NaN gives the first frame. The clip must move a target.
WeightFrames weight_frames(const BakedCharacter& baked, uint32_t clip, float time_seconds);

// One morph weight at one time, from the keys.

/// Returns `without_keys` for a track without keys.
float sample_weight(const WeightTrack& track, float time_seconds, float without_keys);

}  // namespace sinew::internal
