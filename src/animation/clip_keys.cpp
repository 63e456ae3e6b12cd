#include "clip_keys.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxKeysCompared = 1 << 24;  // by find_intervals_on_keys(), which then gives up

bool differ(Vec3 a, Vec3 b) { return length(a - b) > 0; }
bool differ(float a, float b) { return a != b; }
bool differ(Quat a, Quat b) { return std::abs(dot(a, b)) < 1 - 1e-7f; }

/// Appends the times at which the track's value jumps: at step keys and at several keys with the same time.
template <class Value>
void find_discontinuities(const Track<Value>& track, std::vector<float>& times) {
  const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1, value = stride / 2;
  for (size_t i = 1; i < track.times_seconds.size(); ++i) {
    const bool may_jump =
        track.interpolation == Interpolation::kStep || track.times_seconds[i] == track.times_seconds[i - 1];
    const size_t at = i * stride + value;
    if (may_jump && differ(track.values[at], track.values[at - stride])) times.push_back(track.times_seconds[i]);
  }
}

}  // namespace

std::vector<float> find_discontinuities(const Clip& clip) {
  std::vector<float> times;
  for (const JointTracks& joint : clip.tracks) {
    find_discontinuities(joint.translation, times);
    find_discontinuities(joint.rotation, times);
    find_discontinuities(joint.scale, times);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<float> find_weight_discontinuities(const Clip& clip) {
  std::vector<float> times;
  for (const WeightTrack& track : clip.weights) find_discontinuities(track.weight, times);
  std::sort(times.begin(), times.end());
  return times;
}

namespace {

void remove_repeats(std::vector<float>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

std::vector<float> key_times(const Clip& clip) {
  std::vector<float> times;
  for (const JointTracks& joint : clip.tracks) {
    for (const auto* track :
         {&joint.translation.times_seconds, &joint.rotation.times_seconds, &joint.scale.times_seconds}) {
      times.insert(times.end(), track->begin(), track->end());
    }
  }
  remove_repeats(times);
  return times;
}

std::vector<float> weight_key_times(const Clip& clip) {
  std::vector<float> times;
  for (const WeightTrack& track : clip.weights) {
    times.insert(times.end(), track.weight.times_seconds.begin(), track.weight.times_seconds.end());
  }
  remove_repeats(times);
  return times;
}

/// The number of keys before the first key that does not fall on a frame.
size_t keys_on_frames(std::span<const float> keys, const Clip& clip, uint32_t intervals) {
  const double rate = intervals / double(clip.duration_seconds());
  const double tolerance = (1e-5 + 1.2e-7 * std::abs(double(clip.end_seconds))) * rate;
  const auto first_off_frame = std::find_if_not(keys.begin(), keys.end(), [&](float key) {
    const double frame = (double(key) - clip.start_seconds) * rate;
    return std::abs(frame - std::round(frame)) < tolerance;
  });
  return size_t(first_off_frame - keys.begin());
}

std::optional<uint32_t> find_intervals(std::span<const float> keys, const Clip& clip, uint32_t min_intervals,
                                       uint32_t max_intervals) {
  uint64_t compared = 0;
  for (uint32_t intervals = min_intervals; intervals < max_intervals && compared < kMaxKeysCompared; ++intervals) {
    const size_t on_frames = keys_on_frames(keys, clip, intervals);
    if (on_frames == keys.size()) return intervals;
    compared += on_frames + 1;
  }
  return {};
}

constexpr double kEvenShare = 0.9, kUnevenness = 0.1;  // of intervals that may differ by a share of the usual one

uint32_t count_even(std::span<const float> keys, const Clip& clip) {
  std::vector<double> intervals;
  for (size_t i = 1; i < keys.size(); ++i) intervals.push_back(double(keys[i]) - keys[i - 1]);
  if (intervals.empty()) return 0;
  const auto middle = intervals.begin() + ptrdiff_t(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  const double usual = *middle;
  const auto even = std::count_if(intervals.begin(), intervals.end(),
                                  [&](double interval) { return std::abs(interval - usual) <= kUnevenness * usual; });
  if (double(even) < kEvenShare * double(intervals.size())) return 0;
  const double count = std::round(double(clip.duration_seconds()) / usual);
  return count >= 1 && count < double(kMaxBakedFrames) ? uint32_t(count) : 0;
}

}  // namespace

uint32_t count_even_intervals(const Clip& clip) { return count_even(key_times(clip), clip); }
uint32_t count_even_weight_intervals(const Clip& clip) { return count_even(weight_key_times(clip), clip); }

std::optional<uint32_t> find_intervals_on_keys(const Clip& clip, uint32_t min_intervals, uint32_t max_intervals) {
  return find_intervals(key_times(clip), clip, min_intervals, max_intervals);
}

std::optional<uint32_t> find_intervals_on_weight_keys(const Clip& clip, uint32_t min_intervals,
                                                      uint32_t max_intervals) {
  return find_intervals(weight_key_times(clip), clip, min_intervals, max_intervals);
}

}  // namespace sinew::internal
