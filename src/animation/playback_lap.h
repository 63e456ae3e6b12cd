// Playback time as whole laps of a loop and the time within one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/animation/pose.h"
#include "sinew/asset/clip.h"

namespace sinew::internal {

inline constexpr size_t kLoopingCount = 3;

/// After how many seconds a clip repeats itself; 0: never.
inline double period_of(const Clip& clip, Looping looping) {
  const double duration = double(clip.end_seconds) - clip.start_seconds;
  if (looping == Looping::kClamp || !(duration > 0)) return 0;
  return looping == Looping::kPingPong ? 2 * duration : duration;
}

struct Lap {
  double laps = 0;     // whole periods before `seconds`; negative before the start
  double seconds = 0;  // within [0, period)
};

/// Rounding never makes `seconds` leave its range: what advances in steps then passes each moment as often as what
/// advances at once.
inline Lap lap_of(double seconds, double period) {
  const double laps = std::floor(seconds / period), rest = seconds - laps * period;
  if (rest >= period) return {laps + 1, 0};
  return {laps, rest > 0 ? rest : 0};
}

/// A step of playback: from a time in lap 0 to a time in another lap.
struct Step {
  double from = 0, to = 0;  // seconds within a lap
  double laps = 0;

  bool is_forward() const { return laps != 0 ? laps > 0 : to > from; }
};

/// The step of `seconds` from the playback time `now`. Without a period, times are those within the clip.
inline Step step_from(double now, double seconds, double period, const Clip& clip) {
  if (period > 0) {
    const double from = lap_of(now, period).seconds;
    const Lap to = lap_of(from + seconds, period);
    return {from, to.seconds, to.laps};
  }
  const double duration = double(clip.end_seconds) - clip.start_seconds;
  return {std::clamp(now, 0.0, duration), std::clamp(now + seconds, 0.0, duration), 0};
}

}  // namespace sinew::internal
