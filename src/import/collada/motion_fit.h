// From a motion, a function of time, to the keys of tracks that are close to it.
#pragma once

#include <functional>
#include <span>

#include "scene.h"

namespace sinew::internal {

/// How far tracks may be from the motion.
struct MotionTolerance {
  double translation = 0;  // in the node's parent's space
  double rotation = 0;     // in radians
  double scale = 0;        // as a share
};

/// The transform of a node at `time`, in seconds. `inside` lies between the same two corner times as `time`, and is
/// none of them: at a time where the motion jumps it says from which side.
using Motion = std::function<Transform(double time, double inside)>;

/// The tracks of a motion: keys at all corner times, which ascend, and between them as many as the tolerance needs. A
/// motion that jumps has two keys at one time, of which the later wins, or stands still between its keys (kStep).
/// Properties that do not change have their first and last key only. Throws what `motion` throws.
SceneTracks fit_motion(const Motion& motion, std::span<const double> corner_times, const MotionTolerance& tolerance);

}  // namespace sinew::internal
