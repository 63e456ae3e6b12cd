// Baking morph weights, and reading them.
#pragma once

#include <span>

#include "sinew/animation/bake.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"

namespace sinew::internal {

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

}  // namespace sinew::internal
