#include "view/time_line.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

template <class Value>
void add_times(const Track<Value>& track, const Clip& clip, std::vector<float>& times) {
  for (const float time : track.times_seconds) {
    if (time >= clip.start_seconds && time <= clip.end_seconds) times.push_back(time);
  }
}

}  // namespace

void fit_to(TimeLine& line, const Clip& clip) {
  line.clip_start_seconds = line.start_seconds = clip.start_seconds;
  line.clip_end_seconds = line.end_seconds = clip.end_seconds;
  line.seconds = 0;
}

double limited_speed(const TimeLine& line) {
  return std::isfinite(line.speed) ? double(std::clamp(line.speed, -kMaxSpeed, kMaxSpeed)) : 0;
}

double duration_seconds(const TimeLine& line) { return std::max(0.0, double(line.end_seconds) - line.start_seconds); }

float clip_seconds(const TimeLine& line) {
  return clip_time({"", line.start_seconds, line.end_seconds, {}}, line.seconds, line.looping);
}

void seek(TimeLine& line, float clip_seconds) {
  if (!std::isfinite(clip_seconds)) return;
  const double duration = duration_seconds(line);
  line.seconds = std::clamp(double(clip_seconds) - line.start_seconds, 0.0, duration);
  // The end of a loop is the start of the next one, but a seek to the end must show the end.
  if (line.looping == Looping::kLoop && line.seconds == duration) line.seconds = std::nextafter(duration, 0.0);
}

void restart(TimeLine& line) { seek(line, limited_speed(line) < 0 ? line.end_seconds : line.start_seconds); }

bool is_at_end(const TimeLine& line) {
  if (line.looping != Looping::kClamp) return false;
  return limited_speed(line) < 0 ? line.seconds <= 0 : line.seconds >= duration_seconds(line);
}

void play(TimeLine& line) {
  if (is_at_end(line)) restart(line);
  line.playing = true;
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
  if (!std::isfinite(line.seconds)) line.seconds = 0;
  if (line.looping != Looping::kClamp && period > 0) line.seconds -= std::floor(line.seconds / period) * period;
}

void advance(TimeLine& line, double seconds) {
  if (!line.playing || !std::isfinite(seconds)) return;
  wrap(line);
  line.seconds += seconds * limited_speed(line);
  if (line.looping != Looping::kClamp) return;
  line.seconds = std::clamp(line.seconds, 0.0, duration_seconds(line));
  if (is_at_end(line)) line.playing = false;
}

void set_range(TimeLine& line, float start_seconds, float end_seconds) {
  if (!std::isfinite(start_seconds) || !std::isfinite(end_seconds)) return;
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

std::vector<float> key_times(const Clip& clip, size_t max_count) {
  std::vector<float> times;
  for (const JointTracks& tracks : clip.tracks) {
    add_times(tracks.translation, clip, times);
    add_times(tracks.rotation, clip, times);
    add_times(tracks.scale, clip, times);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() <= max_count) return times;
  std::vector<float> thinned;
  for (size_t i = 0; i < max_count; ++i) {
    thinned.push_back(times[max_count == 1 ? 0 : i * (times.size() - 1) / (max_count - 1)]);
  }
  return thinned;
}

}  // namespace sinew::app
