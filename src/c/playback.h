// Clips as C++ takes them: playbacks, what clips do at their ends, root tracks, how to bake.
#pragma once

#include "layout.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/root_motion.h"
#include "sinew/asset/baked_character.h"
#include "sinew/c/animation.h"
#include "sinew/c/root_motion.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewLayer, Layer, clip, time_seconds, weight, mask);
SINEW_SAME_LAYOUT(SinewPlayback, Playback, layers);

inline constexpr Looping kLoopings[] = {Looping::kLoop, Looping::kClamp, Looping::kPingPong};
static_assert(SINEW_LOOP == 0 && SINEW_CLAMP == 1 && SINEW_PING_PONG == 2);

SINEW_SAME_LAYOUT(SinewGroundMotion, GroundMotion, translation, heading_radians);

inline SinewGroundMotion motion_of(const GroundMotion& motion) { return *seen_as<SinewGroundMotion>(&motion); }

inline BakeOptions bake_options(const SinewBakeOptions& given) {
  BakeOptions options;
  if (given.max_error != 0) options.max_error = given.max_error;
  if (given.error_radius != 0) options.error_radius = given.error_radius;
  if (given.min_frames_per_second != 0) options.min_frames_per_second = given.min_frames_per_second;
  if (given.max_frames_per_second != 0) options.max_frames_per_second = given.max_frames_per_second;
  return options;
}

}  // namespace sinew::c

struct SinewRootTrack {
  sinew::RootTrack track;
};
