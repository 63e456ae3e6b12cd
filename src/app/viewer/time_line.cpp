#include "viewer/time_line.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

/// The clip's time after `seconds` of playback.
float clip_seconds_at(const TimeLine& line, double seconds) {
  return clip_time({"", line.start_seconds, line.end_seconds, {}}, seconds, line.looping);
}

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

}  // namespace

void fit_to(TimeLine& line, const Clip& clip) {
  line.clip_start_seconds = line.start_seconds = clip.start_seconds;
  line.clip_end_seconds = line.end_seconds = clip.end_seconds;
  line.seconds = 0;
}

double duration_seconds(const TimeLine& line) { return std::max(0.0, double(line.end_seconds) - line.start_seconds); }

float clip_seconds(const TimeLine& line) { return clip_seconds_at(line, line.seconds); }

void seek(TimeLine& line, float clip_seconds) {
  const double duration = duration_seconds(line);
  line.seconds = std::clamp(double(clip_seconds) - line.start_seconds, 0.0, duration);
  // The end of a loop is the start of the next one, but a seek to the end must show the end.
  if (line.looping == Looping::kLoop && line.seconds == duration) line.seconds = std::nextafter(duration, 0.0);
}

void restart(TimeLine& line) { seek(line, line.speed < 0 ? line.end_seconds : line.start_seconds); }

bool is_at_end(const TimeLine& line) {
  if (line.looping != Looping::kClamp) return false;
  return line.speed < 0 ? line.seconds <= 0 : line.seconds >= duration_seconds(line);
}

void toggle_playing(TimeLine& line) {
  line.playing = !line.playing;
  if (line.playing && is_at_end(line)) restart(line);
}

void step(TimeLine& line, int steps) {
  line.playing = false;
  const double duration = duration_seconds(line);
  double offset = double(clip_seconds(line)) - line.start_seconds + steps * kSecondsPerStep;
  if (line.looping == Looping::kLoop && duration > 0) offset -= std::floor(offset / duration) * duration;
  seek(line, float(line.start_seconds + offset));
}

void wrap(TimeLine& line) {
  const double duration = duration_seconds(line);
  const double period = line.looping == Looping::kPingPong ? 2 * duration : duration;
  if (line.looping != Looping::kClamp && period > 0) line.seconds -= std::floor(line.seconds / period) * period;
}

void advance(TimeLine& line, double seconds) {
  if (!line.playing) return;
  wrap(line);
  line.seconds += seconds * double(line.speed);
  if (line.looping != Looping::kClamp) return;
  line.seconds = std::clamp(line.seconds, 0.0, duration_seconds(line));
  if (is_at_end(line)) line.playing = false;
}

void set_range(TimeLine& line, float start_seconds, float end_seconds) {
  const float shown = clip_seconds(line), clip_start = line.clip_start_seconds, clip_end = line.clip_end_seconds;
  const float shortest = std::min(float(kSecondsPerStep), clip_end - clip_start);
  line.start_seconds = std::clamp(start_seconds, clip_start, clip_end - shortest);
  line.end_seconds = std::clamp(end_seconds, line.start_seconds + shortest, clip_end);
  seek(line, shown);
}

void set_looping(TimeLine& line, Looping looping) {
  const float shown = clip_seconds(line);
  line.looping = looping;
  seek(line, shown);
}

double phase(const TimeLine& line) {
  const double duration = duration_seconds(line);
  return duration > 0 ? line.seconds / duration : 0;
}

void follow_phase(TimeLine& line, double phase) {
  const double duration = duration_seconds(line), times = std::floor(phase);
  // The last moment of a loop must not become the first of the next one.
  const double into = std::min((phase - times) * duration, std::nextafter(duration, 0.0));
  line.seconds = times * duration + into;
}

GroundMotion ground_motion(const RootTrack& track, const TimeLine& line, double from_seconds, double to_seconds) {
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

const Marker* marker_at(std::span<const Marker> markers, float clip_seconds, float reach_seconds) {
  const Marker* nearest = nullptr;
  for (const Marker& marker : markers) {
    const float away = std::abs(marker.time_seconds - clip_seconds);
    if (away > reach_seconds || (nearest && away == reach_seconds)) continue;
    reach_seconds = away, nearest = &marker;
  }
  return nearest;
}

std::vector<float> key_times(const Clip& clip, size_t max_count) {
  std::vector<float> times;
  for (const JointTracks& tracks : clip.tracks) {
    for (const auto* track :
         {&tracks.translation.times_seconds, &tracks.rotation.times_seconds, &tracks.scale.times_seconds})
      times.insert(times.end(), track->begin(), track->end());
  }
  std::erase_if(times, [&](float time) { return time < clip.start_seconds || time > clip.end_seconds; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() <= max_count) return times;
  for (size_t i = 1; i < max_count; ++i) times[i] = times[i * (times.size() - 1) / (max_count - 1)];
  times.resize(max_count);
  return times;
}

}  // namespace sinew::app
