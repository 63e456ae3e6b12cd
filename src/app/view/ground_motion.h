// The root motion that a time line plays.
#pragma once

#include "sinew/animation/root_motion.h"
#include "view/time_line.h"

namespace sinew::app {

/// The motion over the ground while TimeLine::seconds goes from one value to another, through any number of loops of
/// the line's range. `track` is that of the line's clip.
GroundMotion ground_motion(const RootTrack& track, const TimeLine& line, double from_seconds, double to_seconds);

}  // namespace sinew::app
