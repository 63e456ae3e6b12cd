// The time line of one clip: which range plays, where playback is, how fast, and what happens at the ends.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/animation/root_motion.h"
#include "sinew/asset/clip.h"

namespace sinew::app {

inline constexpr float kMaxSpeed = 2;                // forward and backward
inline constexpr double kSecondsPerStep = 1.0 / 30;  // of step(), and the shortest range

/// Times are those of the clip, except `seconds`. Set the times with the functions below: they keep them valid. All
/// numbers are finite.
struct TimeLine {
  float clip_start_seconds = 0, clip_end_seconds = 0;  // of the whole clip
  float start_seconds = 0, end_seconds = 0;            // of the range that plays
  double seconds = 0;                                  // playback time since the start of the range
  float speed = 1;                                     // from -kMaxSpeed, which is backward, to kMaxSpeed
  Looping looping = Looping::kLoop;
  bool playing = true;
};

/// Makes the line that of another clip: the range is the whole clip, at its start. Speed, looping and playing stay.
void fit_to(TimeLine& line, const Clip& clip);

/// The duration of the range.
double duration_seconds(const TimeLine& line);

/// The time of the clip that is shown now, inside the range.
float clip_seconds(const TimeLine& line);

/// Goes to a time of the clip, or to the nearest time in the range.
void seek(TimeLine& line, float clip_seconds);

/// Goes to the start of the range, or with negative speed to its end.
void restart(TimeLine& line);

/// Whether playback that does not repeat (Looping::kClamp) is where it ends.
bool is_at_end(const TimeLine& line);

/// Pauses, or plays. At the end of playback that does not repeat, starts again.
void toggle_playing(TimeLine& line);

/// Pauses, and goes some steps of kSecondsPerStep forward or backward in the clip. A line that loops goes on at the
/// other end of the range; others stop at its ends.
void step(TimeLine& line, int steps);

/// Advances playback by `seconds` times the speed, unless it is paused. Playback that does not repeat pauses at its
/// end.
void advance(TimeLine& line, double seconds);

/// Subtracts whole periods from `seconds`, which changes no pose: `seconds` stays exact however long the line plays.
void wrap(TimeLine& line);

/// Sets the range, limited to the clip and at least one step long; where both ends meet, the start stays. The time of
/// the clip stays if the range contains it.
void set_range(TimeLine& line, float start_seconds, float end_seconds);

/// Changes looping; the time of the clip stays.
void set_looping(TimeLine& line, Looping looping);

/// How many times the range has been played: 1.25 is a quarter into the second time. 0 for a range without duration.
double phase(const TimeLine& line);

/// Goes to the same phase as another line.
void follow_phase(TimeLine& line, double phase);

/// The motion over the ground while TimeLine::seconds goes from one value to another, through any number of loops of
/// the line's range. `track` is that of the line's clip.
GroundMotion ground_motion(const RootTrack& track, const TimeLine& line, double from_seconds, double to_seconds);

/// The marker nearest to a time of the clip, of those within `reach_seconds` of it; null: there is none.
const Marker* marker_at(std::span<const Marker> markers, float clip_seconds, float reach_seconds);

/// The times of all keys inside the clip, ascending, each once. If there are more than `max_count`, as many of them at
/// equal distances in this list.
std::vector<float> key_times(const Clip& clip, size_t max_count);

}  // namespace sinew::app
