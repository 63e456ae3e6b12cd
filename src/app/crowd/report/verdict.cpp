#include "crowd/report/verdict.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

double median_of(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

struct Interval {
  double median = 0, low = 0, high = 0;
};

Interval interval_of(std::span<const double> values, size_t skipped) {
  const std::vector<double> all = sorted(values);
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

std::optional<size_t> left_out(size_t count, double miss_share) {
  double term = std::pow(0.5, double(count)), below = term;  // of the binomial distribution of 1/2
  if (count == 0 || 2 * below > miss_share) return {};
  for (size_t k = 0;; ++k) {
    term *= double(count - k) / double(k + 1);
    below += term;
    if (2 * below > miss_share) return k;
  }
}

double spread_of(std::span<const double> repeats) {
  if (repeats.empty()) return 0;
  const std::vector<double> all = sorted(repeats);
  const double median = median_of(all);
  return median > 0 ? (all.back() - all.front()) / 2 / median : 0;
}

TimeRatio paired_ratio(std::span<const double> old_ms, std::span<const double> new_ms, double miss_share) {
  const auto skipped = left_out(old_ms.size(), miss_share);
  if (!skipped || old_ms.size() != new_ms.size() || !are_times(old_ms) || !are_times(new_ms)) return {};
  std::vector<double> ratios(old_ms.size());
  for (size_t i = 0; i < ratios.size(); ++i) ratios[i] = new_ms[i] / old_ms[i];
  const Interval interval = interval_of(ratios, *skipped);
  return {interval.median, interval.low, interval.high, true};
}

TimeRatio unpaired_ratio(std::span<const double> old_ms, std::span<const double> new_ms, const MachineDrift& drift,
                         double miss_share) {
  if (!are_times(old_ms) || !are_times(new_ms) || !(drift.low > 0) || !(drift.high > 0)) return {};
  const Interval before = interval_of(old_ms, left_out(old_ms.size(), miss_share).value_or(0));
  const Interval after = interval_of(new_ms, left_out(new_ms.size(), miss_share).value_or(0));
  const double low = after.low / before.high, high = after.high / before.low;
  return {after.median / before.median, std::min(low, low / drift.high), std::max(high, high / drift.low), true,
          kSmallestUnpaired};
}

Verdict verdict_of(const TimeRatio& ratio) {
  if (!ratio.is_known) return Verdict::kCannotTell;
  if (ratio.low > 1 + ratio.smallest_change) return Verdict::kSlower;
  if (ratio.high < 1 - ratio.smallest_change) return Verdict::kFaster;
  if (ratio.low >= 1 - kSameShare && ratio.high <= 1 + kSameShare) return Verdict::kSame;
  return Verdict::kCannotTell;
}

}  // namespace sinew::app
