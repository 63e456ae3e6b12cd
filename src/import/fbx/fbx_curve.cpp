#include "fbx/fbx_curve.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

using Mode = FbxExtrapolation::Mode;

constexpr size_t kMaxRepetitions = 10000;  // that get keys
constexpr double kSameTime = 1e-9;         // seconds

Side flipped(Side side) {
  return side == Side::kBefore ? Side::kAfter : side == Side::kAfter ? Side::kBefore : Side::kAt;
}

/// The parameter at which a cubic with the controls 0, x1, x2, 1 is `x`. Newton's method, kept inside by bisection.
double parameter_at(double x1, double x2, double x) {
  double low = 0, high = 1, t = x;
  for (int i = 0; i < 60; ++i) {
    const double u = 1 - t;
    const double error = 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t - x;
    if (std::abs(error) < 1e-15) break;
    (error > 0 ? high : low) = t;
    const double slope = 3 * u * u * x1 + 6 * u * t * (x2 - x1) + 3 * t * t * (1 - x2);
    const double next = t - error / slope;
    t = next > low && next < high ? next : (low + high) / 2;
  }
  return t;
}

double cubic_value(const FbxKey& from, const FbxKey& to, double share) {
  const double duration = to.seconds - from.seconds, x1 = from.weight_after, x2 = 1 - to.weight_before;
  const bool is_even = std::abs(x1 - 1.0 / 3) < 1e-5 && std::abs(x2 - 2.0 / 3) < 1e-5;
  const double t = is_even ? share : parameter_at(x1, x2, share), u = 1 - t;
  const double y1 = from.value + from.slope_after * from.weight_after * duration;
  const double y2 = to.value - to.slope_before * to.weight_before * duration;
  return u * u * u * from.value + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * to.value;
}

double variation_of(const FbxKey& from, const FbxKey& to) {
  if (from.interpolation != FbxKey::Interpolation::kCubic) return std::abs(to.value - from.value);
  const double duration = to.seconds - from.seconds;
  const double first = from.slope_after * from.weight_after * duration;
  const double last = to.slope_before * to.weight_before * duration;
  return std::abs(first) + std::abs(last) + std::abs(to.value - last - from.value - first);
}

}  // namespace

double FbxCurve::value(double seconds, Side side, double fallback) const {
  if (keys.empty()) return fallback;
  if (keys.size() == 1) return keys.front().value;
  const double first = keys.front().seconds, last = keys.back().seconds;
  const bool is_outside = seconds < first || seconds > last || (seconds == first && side == Side::kBefore) ||
                          (seconds == last && side == Side::kAfter);
  return is_outside ? outside(seconds, side) : inside(seconds, side);
}

/// The interval that contains the time: its first key. The last interval at the end.
size_t FbxCurve::interval_at(double seconds, Side side) const {
  const auto contains = [&](size_t i) {
    if (side == Side::kBefore) return keys[i].seconds < seconds && seconds <= keys[i + 1].seconds;
    return keys[i].seconds <= seconds && seconds < keys[i + 1].seconds;
  };
  for (size_t i = last_interval_; i < std::min(last_interval_ + 2, keys.size() - 1); ++i) {
    if (contains(i)) return last_interval_ = i;
  }
  const auto is_before = [](const FbxKey& key, double time) { return key.seconds < time; };
  const auto is_after = [](double time, const FbxKey& key) { return time < key.seconds; };
  const auto next = side == Side::kBefore ? std::lower_bound(keys.begin(), keys.end(), seconds, is_before)
                                          : std::upper_bound(keys.begin(), keys.end(), seconds, is_after);
  const size_t index = size_t(next - keys.begin());
  return last_interval_ = std::clamp<size_t>(index, 1, keys.size() - 1) - 1;
}

double FbxCurve::inside(double seconds, Side side) const {
  const FbxKey& from = keys[interval_at(seconds, side)];
  const FbxKey& to = *(&from + 1);
  if (seconds >= to.seconds && side != Side::kBefore) return to.value;
  if (seconds <= from.seconds && side == Side::kAt) return from.value;
  const double duration = to.seconds - from.seconds;
  const double share = duration > 0 ? std::clamp((seconds - from.seconds) / duration, 0.0, 1.0) : 1;
  switch (from.interpolation) {
    case FbxKey::Interpolation::kConstant:
      return from.value;
    case FbxKey::Interpolation::kConstantNext:
      return to.value;
    case FbxKey::Interpolation::kLinear:
      return from.value + (to.value - from.value) * share;
    case FbxKey::Interpolation::kCubic:
      break;
  }
  return cubic_value(from, to, share);
}

FbxCurve::Inner FbxCurve::inner(double seconds, Side side) const {
  const double first = keys.front().seconds, last = keys.back().seconds, duration = last - first;
  const bool is_before = seconds <= first;
  const FbxExtrapolation& rule = is_before ? before : after;
  const double distance = is_before ? first - seconds : seconds - last;
  if (is_before) side = flipped(side);  // seen along the distance
  double rounds = std::floor(distance / duration), rest = distance - rounds * duration;
  if (duration - rest < kSameTime) ++rounds, rest = 0;
  if (rest < kSameTime) rest = 0;
  if (rest == 0 && rounds > 0 && side == Side::kBefore) --rounds, rest = duration;
  if (rule.count > 0 && rounds >= double(rule.count))
    rounds = double(rule.count - 1), rest = duration, side = Side::kAt;
  const bool is_mirrored = rule.mode == Mode::kMirror && std::fmod(rounds, 2) == 0;
  if (is_mirrored != is_before) rest = duration - rest, side = flipped(side);
  return {rest >= duration ? last : first + rest, side, rounds};
}

double FbxCurve::outside(double seconds, Side side) const {
  const bool is_before = seconds <= keys.front().seconds;
  const FbxKey& end = is_before ? keys.front() : keys.back();
  const FbxExtrapolation& rule = is_before ? before : after;
  if (rule.mode == Mode::kSlope) {
    return end.value + (is_before ? end.slope_after : end.slope_before) * (seconds - end.seconds);
  }
  const double duration = keys.back().seconds - keys.front().seconds;
  if (rule.mode == Mode::kConstant || rule.count == 0 || !(duration > kSameTime)) return end.value;
  const Inner at = inner(seconds, side);
  double value = inside(at.seconds, at.side);
  if (rule.mode == Mode::kRepeatWithOffset) {
    const double offset = (keys.back().value - keys.front().value) * (at.rounds + 1);
    value += is_before ? -offset : offset;
  }
  return value;
}

void FbxCurve::append_breaks(double begin, double end, std::vector<double>& times) const {
  const auto append = [&](double time) {
    if (time >= begin && time <= end) times.push_back(time);
  };
  for (const FbxKey& key : keys) append(key.seconds);
  if (keys.size() < 2) return;
  const double first = keys.front().seconds, last = keys.back().seconds, duration = last - first;
  const auto repeat = [&](const FbxExtrapolation& rule, bool is_before) {
    if (rule.mode == Mode::kConstant || rule.mode == Mode::kSlope || !(duration > kSameTime)) return;
    const double needed = std::ceil((is_before ? first - begin : end - last) / duration);
    const double limit = double(kMaxRepetitions) / double(keys.size());
    const double rounds = std::min(rule.count < 0 ? needed : std::min(needed, double(rule.count)), limit);
    for (double round = 1; round <= rounds; ++round) {
      const bool is_mirrored = rule.mode == Mode::kMirror && std::fmod(round, 2) == 1;
      for (const FbxKey& key : keys) {
        const double offset = is_mirrored ? last - key.seconds : key.seconds - first;
        append(is_before ? first - round * duration + offset : last + (round - 1) * duration + offset);
      }
    }
  };
  repeat(before, true), repeat(after, false);
}

double FbxCurve::variation(double begin, double end) const {
  if (keys.size() < 2) return 0;
  double middle = (begin + end) / 2;
  const bool is_before = middle < keys.front().seconds;
  if (is_before || middle > keys.back().seconds) {
    const FbxExtrapolation& rule = is_before ? before : after;
    if (rule.mode == Mode::kConstant) return 0;
    if (rule.mode == Mode::kSlope) return std::abs(value(end, Side::kAt, 0) - value(begin, Side::kAt, 0));
    if (!(keys.back().seconds - keys.front().seconds > kSameTime)) return 0;
    middle = inner(middle, Side::kAt).seconds;
  }
  const size_t interval = interval_at(middle, Side::kAt);
  return variation_of(keys[interval], keys[interval + 1]);
}

}  // namespace sinew::internal
