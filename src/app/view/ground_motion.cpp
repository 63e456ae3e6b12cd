#include "view/ground_motion.h"

#include <cmath>

namespace sinew::app {
namespace {

/// The motion between two times of the clip.
GroundMotion between(const RootTrack& track, double from_seconds, double to_seconds) {
  return motion_between(track, from_seconds - track.start_seconds, to_seconds - track.start_seconds, Looping::kClamp);
}

/// By repeated squaring: a short range may loop thousands of times in one call.
GroundMotion repeated(const RootTrack& track, GroundMotion motion, double times) {
  GroundMotion result;
  for (; times >= 1; times = std::floor(times / 2)) {
    if (std::fmod(times, 2) == 1) result = compose(track, result, motion);
    motion = compose(track, motion, motion);
  }
  return result;
}

float clip_seconds_at(TimeLine line, double seconds) {
  line.seconds = seconds;
  return clip_seconds(line);
}

}  // namespace

GroundMotion ground_motion(const RootTrack& track, const TimeLine& line, double from_seconds, double to_seconds) {
  if (!std::isfinite(from_seconds) || !std::isfinite(to_seconds)) return {};
  const double duration = duration_seconds(line), start = line.start_seconds;
  if (line.looping != Looping::kLoop || !(duration > 0)) {
    return between(track, clip_seconds_at(line, from_seconds), clip_seconds_at(line, to_seconds));
  }
  // Three motions: back to the start of the first loop, through the whole loops, and into the last loop.
  const double from_loop = std::floor(from_seconds / duration), to_loop = std::floor(to_seconds / duration);
  const GroundMotion back = between(track, start + from_seconds - from_loop * duration, start);
  const GroundMotion into = between(track, start, start + to_seconds - to_loop * duration);
  const bool forward = to_loop >= from_loop;
  const GroundMotion loop = forward ? between(track, start, start + duration) : between(track, start + duration, start);
  return compose(track, back, compose(track, repeated(track, loop, std::abs(to_loop - from_loop)), into));
}

}  // namespace sinew::app
