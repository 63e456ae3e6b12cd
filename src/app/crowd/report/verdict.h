// Whether one build or run is faster than another: medians of repeats, and how sure they are. Four verdicts, because
// "the same" and "cannot tell" are different answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::app {

enum class Verdict : uint8_t { kSame, kFaster, kSlower, kCannotTell };

const char* name_of(Verdict verdict);

/// A time divided by an older time. In 98 of 100 comparisons the true ratio is between `low` and `high`.
struct TimeRatio {
  double median = 1, low = 0, high = 0;
  bool is_known = false;  // false: too few repeats, or no times; low and high say nothing
};

/// Fewer repeats than these say nothing: their smallest and largest value miss the true median too often.
inline constexpr size_t kMinRepeats = 7;
/// A ratio within 1 +- kSameShare is "the same"; a change below kSmallestChange is never "faster" or "slower".
inline constexpr double kSameShare = 0.03, kSmallestChange = 0.01;

/// The spread of the medians of repeats: half of the distance from the smallest to the largest, as a share of the
/// median. 0 without times.
double spread_of(std::span<const double> repeats);

/// Of runs in pairs: each pair ran close together, so that what slows the machine slows both. Both have one time for
/// each pair, in the same order. Source of the interval: the order statistics of the pairs' ratios (sign test).
TimeRatio paired_ratio(std::span<const double> old_ms, std::span<const double> new_ms);

/// Of runs at different times. `machine_drift` is how much slower the machine itself was in the new run, measured by a
/// fixed task: 1 is as fast. The interval contains both the measured ratio and that without the drift.
TimeRatio unpaired_ratio(std::span<const double> old_ms, std::span<const double> new_ms, double machine_drift);

Verdict verdict_of(const TimeRatio& ratio);

}  // namespace sinew::app
