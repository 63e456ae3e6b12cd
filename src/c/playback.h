// Playbacks of the host have the layout of those in C++; what clips do at their ends.
#pragma once

#include "layout.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/c/animation.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewLayer, Layer, clip, time_seconds, weight, mask);
SINEW_SAME_LAYOUT(SinewPlayback, Playback, layers);

inline constexpr Looping kLoopings[] = {Looping::kLoop, Looping::kClamp, Looping::kPingPong};
static_assert(SINEW_LOOP == 0 && SINEW_CLAMP == 1 && SINEW_PING_PONG == 2);

}  // namespace sinew::c
