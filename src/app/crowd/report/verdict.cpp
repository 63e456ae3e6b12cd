#include "crowd/report/verdict.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

constexpr double kMaxMissShare = 0.02;  // of intervals that miss the median

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

double median_of(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// How many of the smallest, and of the largest, of `count` values the interval of the median leaves out.
size_t left_out(size_t count) {
  double term = std::pow(0.5, double(count)), below = term;  // of the binomial distribution of 1/2
  for (size_t k = 0;; ++k) {
    term *= double(count - k) / double(k + 1);
    below += term;
    if (2 * below > kMaxMissShare) return k;
  }
}

struct Interval {
  double median = 0, low = 0, high = 0;
};

Interval interval_of(std::span<const double> values) {
  const std::vector<double> all = sorted(values);
  const size_t skipped = left_out(all.size());
  return {median_of(all), all[skipped], all[all.size() - 1 - skipped]};
}

bool are_times(std::span<const double> times) {
  return times.size() >= kMinRepeats && std::all_of(times.begin(), times.end(), [](double ms) { return ms > 0; });
}

}  // namespace

const char* name_of(Verdict verdict) {
  constexpr const char* kNames[] = {"same", "faster", "slower", "cannot tell"};
  return kNames[size_t(verdict)];
}

double spread_of(std::span<const double> repeats) {
  if (repeats.empty()) return 0;
  const std::vector<double> all = sorted(repeats);
  const double median = median_of(all);
  return median > 0 ? (all.back() - all.front()) / 2 / median : 0;
}

TimeRatio paired_ratio(std::span<const double> old_ms, std::span<const double> new_ms) {
  if (old_ms.size() != new_ms.size() || !are_times(old_ms) || !are_times(new_ms)) return {};
  std::vector<double> ratios(old_ms.size());
  for (size_t i = 0; i < ratios.size(); ++i) ratios[i] = new_ms[i] / old_ms[i];
  const Interval interval = interval_of(ratios);
  return {interval.median, interval.low, interval.high, true};
}

TimeRatio unpaired_ratio(std::span<const double> old_ms, std::span<const double> new_ms, double machine_drift) {
  if (!are_times(old_ms) || !are_times(new_ms) || !(machine_drift > 0)) return {};
  const Interval before = interval_of(old_ms), after = interval_of(new_ms);
  const double low = after.low / before.high, high = after.high / before.low;
  return {after.median / before.median, std::min(low, low / machine_drift), std::max(high, high / machine_drift), true};
}

Verdict verdict_of(const TimeRatio& ratio) {
  if (!ratio.is_known) return Verdict::kCannotTell;
  if (ratio.low > 1 + kSmallestChange) return Verdict::kSlower;
  if (ratio.high < 1 - kSmallestChange) return Verdict::kFaster;
  if (ratio.low >= 1 - kSameShare && ratio.high <= 1 + kSameShare) return Verdict::kSame;
  return Verdict::kCannotTell;
}

}  // namespace sinew::app
