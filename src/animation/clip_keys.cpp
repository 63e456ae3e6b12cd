#include "clip_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "baked_sample.h"
#include "sinew/animation/bake.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxKeysCompared = 1 << 24;               // in search of a rate with a frame on every key
constexpr float kSameRotation = 1e-6f;                       // between components of quaternions
constexpr float kSameTime = 1e-5f, kTimeRounding = 1.2e-7f;  // seconds, and a share of the clip's end
constexpr double kMinStep = 1e-4, kMaxParts = 16;            // seconds between frames; of a step that is split

bool differ(Vec3 a, Vec3 b) { return length(a - b) > 0; }
bool differ(float a, float b) { return a != b; }
/// A quaternion and its negative are the same rotation.
bool differ(Quat a, Quat b) {
  const float sign = dot(a, b) < 0 ? -1.0f : 1.0f;
  const auto is_far = [&](float x, float y) { return std::abs(x - sign * y) > kSameRotation; };
  return is_far(a.x, b.x) || is_far(a.y, b.y) || is_far(a.z, b.z) || is_far(a.w, b.w);
}

template <class Each>
void for_each_track(const Clip& clip, Tracks tracks, Each each) {
  if (tracks == Tracks::kWeights) {
    for (const WeightTrack& track : clip.weights) each(track.weight);
    return;
  }
  for (const JointTracks& joint : clip.tracks) each(joint.translation), each(joint.rotation), each(joint.scale);
}

void sort_once(std::vector<float>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

/// The times, ascending, at which a value jumps within the clip: at step keys and at several keys with the same time.
std::vector<float> jump_times(const Clip& clip, Tracks tracks) {
  std::vector<float> times;
  for_each_track(clip, tracks, [&](const auto& track) {
    const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1, value = stride / 2;
    for (size_t i = 1; i < track.times_seconds.size(); ++i) {
      const float time = track.times_seconds[i];
      if (!(time > clip.start_seconds && time <= clip.end_seconds)) continue;
      const bool may_jump = track.interpolation == Interpolation::kStep || time == track.times_seconds[i - 1];
      const size_t at = i * stride + value;
      if (may_jump && differ(track.values[at], track.values[at - stride])) times.push_back(time);
    }
  });
  sort_once(times);
  return times;
}

std::vector<float> key_times(const Clip& clip, Tracks tracks) {
  std::vector<float> times;
  for_each_track(clip, tracks, [&](const auto& track) {
    times.insert(times.end(), track.times_seconds.begin(), track.times_seconds.end());
  });
  sort_once(times);
  return times;
}

float same_time(const Clip& clip) { return kSameTime + kTimeRounding * std::abs(clip.end_seconds); }

/// The number of keys before the first key that does not fall on a frame.
size_t keys_on_frames(std::span<const float> keys, const Clip& clip, uint32_t intervals) {
  const double rate = intervals / double(clip.duration_seconds());
  const double tolerance = same_time(clip) * rate;
  const auto first_off_frame = std::find_if_not(keys.begin(), keys.end(), [&](float key) {
    const double frame = (double(key) - clip.start_seconds) * rate;
    return std::abs(frame - std::round(frame)) < tolerance;
  });
  return size_t(first_off_frame - keys.begin());
}

/// The smallest number of frame intervals whose frames fall on every key: at least `min_intervals`, and below
/// `max_intervals`. Nothing if there is no such number, or if the search takes too long.
std::optional<uint32_t> find_intervals_on_keys(std::span<const float> keys, const Clip& clip, uint32_t min_intervals,
                                               uint32_t max_intervals) {
  uint64_t compared = 0;
  for (uint32_t intervals = min_intervals; intervals < max_intervals && compared < kMaxKeysCompared; ++intervals) {
    const size_t on_frames = keys_on_frames(keys, clip, intervals);
    if (on_frames == keys.size()) return intervals;
    compared += on_frames + 1;
  }
  return {};
}

double min_intervals(const Clip& clip, const BakeOptions& options) {
  return std::max(1.0, std::ceil(double(clip.duration_seconds()) * options.min_frames_per_second - 1e-4));
}

/// Frames at times of their own: `times` ascends from the clip's start to its end. Times near a jump are dropped.
BakedTimes at_times(const Clip& clip, const std::vector<float>& times, std::span<const float> jumps) {
  BakedTimes frames;
  std::vector<float>& seconds = frames.frame_seconds;
  seconds.push_back(times.front());
  const float near = same_time(clip);
  auto jump = jumps.begin();
  for (size_t i = 1; i < times.size(); ++i) {
    for (; jump != jumps.end() && *jump <= times[i] + near; ++jump) seconds.insert(seconds.end(), 2, *jump);
    const bool is_end = i + 1 == times.size();
    const bool is_near = times[i] - seconds.back() <= near || (jump != jumps.end() && *jump - times[i] <= near);
    if (is_end || !is_near) seconds.push_back(times[i]);
  }
  frames.frame_count = uint32_t(seconds.size());
  frames.frames_per_second = (frames.frame_count - 1) / double(clip.duration_seconds());
  return frames;
}

BakedTimes at_equal_steps(const Clip& clip, uint32_t intervals, std::span<const float> jumps,
                          const BakeOptions& options) {
  const double duration = clip.duration_seconds();
  const double rate = duration > 0 ? intervals / duration : double(options.min_frames_per_second);
  if (jumps.empty()) return {intervals + 1, rate, {}};
  std::vector<float> times;
  for (uint32_t frame = 0; frame < intervals; ++frame) times.push_back(float(clip.start_seconds + frame / rate));
  times.push_back(clip.end_seconds);
  return at_times(clip, times, jumps);
}

/// Frames on the keys, and between them at about this rate.
BakedTimes at_keys(const Clip& clip, std::span<const float> keys, double rate, std::span<const float> jumps) {
  std::vector<float> times = {clip.start_seconds};
  const auto append = [&](float to) {
    const double from = times.back(), parts = std::max(std::round((to - from) * rate), 1.0);
    for (double part = 1; part < parts; ++part) times.push_back(float(from + (to - from) * part / parts));
    times.push_back(to);
  };
  const float near = same_time(clip);
  for (const float key : keys)
    if (key - times.back() > near && clip.end_seconds - key > near) append(key);
  append(clip.end_seconds);
  return at_times(clip, times, jumps);
}

/// The numbers of intervals of frames at equal steps, ascending.
std::vector<uint32_t> intervals_to_try(const Clip& clip, std::span<const float> keys, const BakeOptions& options) {
  const double duration = clip.duration_seconds();
  const auto max_intervals =
      uint32_t(std::clamp(std::floor(duration * options.max_frames_per_second + 1e-4), 1.0, double(kMaxBakedFrames)));
  const auto intervals_at = [&](double rate) {
    return uint32_t(std::clamp(std::ceil(duration * rate - 1e-4), 1.0, double(max_intervals)));
  };
  std::vector<uint32_t> intervals = {max_intervals};
  for (double rate = options.min_frames_per_second; intervals_at(rate) < max_intervals; rate *= 2)
    intervals.push_back(intervals_at(rate));
  const std::optional<uint32_t> on_keys =
      find_intervals_on_keys(keys, clip, intervals_at(options.min_frames_per_second), max_intervals);
  if (on_keys) intervals.push_back(*on_keys);
  std::sort(intervals.begin(), intervals.end());
  intervals.erase(std::unique(intervals.begin(), intervals.end()), intervals.end());
  return intervals;
}

}  // namespace

double least_frames(const Clip& clip, Tracks tracks, const BakeOptions& options) {
  return min_intervals(clip, options) + 1 + 2 * double(jump_times(clip, tracks).size());
}

FramesToTry frames_to_try(const Clip& clip, Tracks tracks, const BakeOptions& options) {
  const std::vector<float> keys = key_times(clip, tracks), jumps = jump_times(clip, tracks);
  FramesToTry frames;
  for (const uint32_t intervals : intervals_to_try(clip, keys, options))
    frames.at_equal_steps.push_back(at_equal_steps(clip, intervals, jumps, options));
  const double rate = options.min_frames_per_second, duration = clip.duration_seconds();
  const double most = std::max(frames.at_equal_steps.back().frame_count, kFramesOfAnyClip);
  const bool fit = duration > 0 && double(keys.size()) + duration * rate <= most;
  if (fit) frames.at_keys = at_keys(clip, keys, rate, jumps);
  return frames;
}

BakedTimes split_steps(const Clip& clip, const BakedTimes& times, std::span<const double> step_errors,
                       double max_error) {
  const double min_step = std::max(kMinStep, 2.0 * same_time(clip));
  BakedTimes finer;
  for (uint32_t frame = 0; frame + 1 < times.frame_count; ++frame) {
    const double from = time_of(times, clip, frame), step = time_of(times, clip, frame + 1) - from;
    finer.frame_seconds.push_back(float(from));
    if (step_errors[frame] <= max_error) continue;
    const double wanted = std::ceil(std::sqrt(step_errors[frame] / max_error));
    const double parts = std::min({std::max(wanted, 2.0), kMaxParts, std::floor(step / min_step)});
    for (double part = 1; part < parts; ++part) finer.frame_seconds.push_back(float(from + step * part / parts));
  }
  finer.frame_seconds.push_back(clip.end_seconds);
  finer.frame_count = uint32_t(finer.frame_seconds.size());
  finer.frames_per_second = (finer.frame_count - 1) / double(clip.duration_seconds());
  return finer;
}

}  // namespace sinew::internal
