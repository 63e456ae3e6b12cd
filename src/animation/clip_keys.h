// The key times of a clip, and the frame rates that a bake tries for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/asset/clip.h"

namespace sinew::internal {

// The key times of a clip, for baking: frame counts that fall on keys, and times of discontinuities.

/// The times, ascending, at which a value jumps: at step keys and at several keys with the same time. The first is of
/// joints, the second of morph weights.
std::vector<float> find_discontinuities(const Clip& clip);
std::vector<float> find_weight_discontinuities(const Clip& clip);

/// The smallest number of frame intervals whose frames fall on every key: at least `min_intervals`, and below
/// `max_intervals`. Nothing if there is no such number, or if the search takes too long.
std::optional<uint32_t> find_intervals_on_keys(const Clip& clip, uint32_t min_intervals, uint32_t max_intervals);
std::optional<uint32_t> find_intervals_on_weight_keys(const Clip& clip, uint32_t min_intervals, uint32_t max_intervals);

/// The number of intervals between keys that lie about evenly, as times do that were rounded; 0 if they do not.
uint32_t count_even_intervals(const Clip& clip);
uint32_t count_even_weight_intervals(const Clip& clip);

// The frame rates that a bake tries for a clip.

/// The numbers of frame intervals to try, ascending: at the lowest rate, at its doublings, at the highest rate, and the
/// smallest number whose frames fall on every key. `find_on_keys(first, end)` finds that one, if there is one. If not,
/// the frames of `even_intervals` fall near the keys, if it is not 0: it is tried, and its doublings.
template <class FindOnKeys>
std::vector<uint32_t> intervals_to_try(double duration_seconds, const BakeOptions& options, FindOnKeys find_on_keys,
                                       uint32_t even_intervals) {
  const auto max_intervals = uint32_t(
      std::clamp(std::floor(duration_seconds * options.max_frames_per_second + 1e-4), 1.0, double(kMaxBakedFrames)));
  const auto intervals_at = [&](double rate) {
    return uint32_t(std::clamp(std::ceil(duration_seconds * rate - 1e-4), 1.0, double(max_intervals)));
  };
  const uint32_t first_intervals = intervals_at(options.min_frames_per_second);
  std::vector<uint32_t> tries = {max_intervals};
  for (double rate = options.min_frames_per_second; intervals_at(rate) < max_intervals; rate *= 2) {
    tries.push_back(intervals_at(rate));
  }
  const std::optional<uint32_t> on_keys = find_on_keys(first_intervals, max_intervals);
  if (on_keys) tries.push_back(*on_keys);
  for (uint64_t even = on_keys ? 0 : even_intervals; even > 0 && even < max_intervals; even *= 2) {
    if (even > first_intervals) tries.push_back(uint32_t(even));
  }
  std::sort(tries.begin(), tries.end());
  tries.erase(std::unique(tries.begin(), tries.end()), tries.end());
  return tries;
}

}  // namespace sinew::internal
