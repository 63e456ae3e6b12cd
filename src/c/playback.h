// Playbacks of the host have the layout of those in C++.
#pragma once

#include "layout.h"
#include "sinew/animation/evaluator.h"
#include "sinew/c/animation.h"

namespace sinew::c {

SINEW_SAME_FIELD(SinewLayer, clip, Layer, clip);
SINEW_SAME_FIELD(SinewLayer, time_seconds, Layer, time_seconds);
SINEW_SAME_FIELD(SinewLayer, weight, Layer, weight);
SINEW_SAME_FIELD(SinewLayer, mask, Layer, mask);
SINEW_SAME_LAYOUT(SinewPlayback, Playback);
SINEW_SAME_FIELD(SinewPlayback, layers, Playback, layers);

}  // namespace sinew::c
