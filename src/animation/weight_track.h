// One morph weight at one time, from the keys.
#pragma once

#include "sinew/asset/clip.h"

namespace sinew::internal {

/// Returns `without_keys` for a track without keys.
float sample_weight(const WeightTrack& track, float time_seconds, float without_keys);

}  // namespace sinew::internal
