// Whether one build or run is faster than another: medians of repeats, and how sure they are. Four verdicts, because
// "the same" and "cannot tell" are different answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew::app {

enum class Verdict : uint8_t { kSame, kFaster, kSlower, kCannotTell };

const char* name_of(Verdict verdict);

/// Fewer repeats than these say nothing: their smallest and largest value miss the true median too often.
inline constexpr size_t kMinRepeats = 7;
inline constexpr uint32_t kMaxRepeats = 1000;  // of a run
/// A ratio within 1 +- kSameShare is "the same". A change below kSmallestChange is never "faster" or "slower", and
/// below kSmallestUnpaired where the runs were at different times: processes differ by some percent.
inline constexpr double kSameShare = 0.03, kSmallestChange = 0.01, kSmallestUnpaired = 0.05;
/// Of 100 tables, so many may have any interval that misses the true ratio, however many rows they have.
inline constexpr double kMaxMissShare = 0.02;

/// A time divided by an older time. The true ratio is between `low` and `high`, but for the share of comparisons that
/// was accepted.
struct TimeRatio {
  double median = 1, low = 0, high = 0;
  bool is_known = false;  // false: too few repeats, or no times; low and high say nothing
  double smallest_change = kSmallestChange;

  bool contains_one() const { return !is_known || (low <= 1 && high >= 1); }
};

/// How much slower the machine itself was in the newer of two runs: 1 is as fast. Measured by a fixed task; low and
/// high are apart where other programs disturbed a run.
struct MachineDrift {
  double low = 1, high = 1;
};

/// How many of the smallest, and of the largest, of `count` values an interval of their median leaves out, if it may
/// miss the true median in `miss_share` of all cases. None: even all values miss it more often.
std::optional<size_t> left_out(size_t count, double miss_share);

/// The spread of the medians of repeats: half of the distance from the smallest to the largest, as a share of the
/// median. 0 without times.
double spread_of(std::span<const double> repeats);

/// Of runs in pairs: each pair ran close together, so that what slows the machine slows both. Both have one time for
/// each pair, in the same order. Source of the interval: the order statistics of the pairs' ratios (sign test).
TimeRatio paired_ratio(std::span<const double> old_ms, std::span<const double> new_ms,
                       double miss_share = kMaxMissShare);

/// Of runs at different times. The interval contains both the measured ratio and that without the drift. It is from the
/// smallest and largest values where `miss_share` leaves none out: seven repeats of one program all differ from seven
/// others once in 1,700 times.
TimeRatio unpaired_ratio(std::span<const double> old_ms, std::span<const double> new_ms, const MachineDrift& drift,
                         double miss_share = kMaxMissShare);

Verdict verdict_of(const TimeRatio& ratio);

}  // namespace sinew::app
