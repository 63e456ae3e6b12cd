#include "curve_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "double_transform.h"

namespace sinew::internal {
namespace {

using Numbers = std::array<double, 4>;

constexpr std::array<double, 5> kChecks = {0.5, 0.31, 0.69, 0.12, 0.88};  // where an interval is compared
constexpr double kDifference = 1e-3;   // of an interval: the step of numerical differentiation
constexpr double kDegreesPerKey = 90;  // between two keys of a rotation
constexpr double kMaxPieces = 4096;    // of one interval, before it is compared
constexpr int kMaxHalvings = 12;
constexpr double kMaxParts = 16;          // into which an interval is cut at once
constexpr double kFarFromWorthwhile = 2;  // times as many lines as cubics are worth: as estimated

Numbers mix(const Numbers& a, const Numbers& b, double u, double v) {
  return {u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]};
}

double length(const Numbers& a) { return std::sqrt(dot(a, a)); }

Numbers normalized(const Numbers& a) { return mix(a, a, 1 / length(a), 0); }

struct FitKey {
  float seconds = 0;
  Numbers in{}, value{}, out{};  // tangents are per second
  bool jumps = false;            // the value jumps from here to the next key
};

/// The value between two keys, `share` of their interval after the first.
Numbers value_between(const FitKey& a, const FitKey& b, double share, bool is_cubic, bool is_rotation) {
  if (is_cubic) {
    const double s = share, d = double(b.seconds) - a.seconds;
    const Numbers values = mix(a.value, b.value, (2 * s - 3) * s * s + 1, (3 - 2 * s) * s * s);
    const Numbers tangents = mix(a.out, b.in, d * s * (1 - s) * (1 - s), -d * s * s * (1 - s));
    const Numbers sum = mix(values, tangents, 1, 1);
    return is_rotation ? normalized(sum) : sum;
  }
  double u = 1 - share, v = share;
  if (is_rotation) {
    const double cosine = dot(a.value, b.value), angle = std::acos(std::min(std::abs(cosine), 1.0));
    if (angle > 1e-6) u = std::sin(u * angle) / std::sin(angle), v = std::sin(v * angle) / std::sin(angle);
    if (cosine < 0) v = -v;
  }
  const Numbers sum = mix(a.value, b.value, u, v);
  return is_rotation ? normalized(sum) : sum;
}

class Fitter {
 public:
  explicit Fitter(const FitCurve& curve) : curve_(curve), is_rotation_(curve.kind == FitCurve::Kind::kRotation) {}

  /// Keys at the breaks and between them. `interpolation` is set to what is best.
  std::vector<FitKey> fit(Interpolation& interpolation) {
    interpolation = Interpolation::kStep;
    if (make_steps()) return keys_;
    anchors_ = keys_at_breaks();
    interpolation = Interpolation::kLinear;
    if (lines_between_breaks()) return keys_;
    is_cubic_ = true;
    make_keys(curve_.max_keys);
    const std::vector<FitKey> cubics = std::move(keys_);
    // A number of keys with as many numbers as these: more lines than that are not worth their work.
    const size_t numbers = curve_.kind == FitCurve::Kind::kScalar ? 1 : is_rotation_ ? 4 : 3;
    const size_t worthwhile = cubics.size() * (1 + 3 * numbers) / (1 + numbers);
    is_cubic_ = false;
    if (lines_instead_of(cubics) <= kFarFromWorthwhile * double(worthwhile)) {
      make_keys(std::min(curve_.max_keys, worthwhile + 1));
      if (keys_.size() < curve_.max_keys && keys_.size() <= worthwhile) return keys_;
    }
    interpolation = Interpolation::kCubic;
    return cubics;
  }

 private:
  float key_time(double seconds) const { return float(seconds - curve_.start_seconds); }
  double time_of(float key_seconds) const { return curve_.start_seconds + double(key_seconds); }

  double distance(const Numbers& a, const Numbers& b) const {
    if (!is_rotation_) return length(mix(a, b, 1, -1));
    return 2 * std::min(length(mix(a, b, 1, -1)), length(mix(a, b, 1, 1)));
  }
  bool is_same(const Numbers& a, const Numbers& b) const { return distance(a, b) <= 1e-3 * curve_.tolerance; }

  /// The value at a time; of a rotation that one of the two quaternions which is nearer to `neighbor`.
  Numbers value_at(double seconds, Side side, const Numbers& neighbor) const {
    const Numbers value = curve_.value(seconds, side);
    return is_rotation_ && dot(value, neighbor) < 0 ? mix(value, value, -1, 0) : value;
  }

  void add_key(float seconds, const Numbers& value) {
    FitKey key{seconds, {}, value, {}};
    if (!keys_.empty()) align(keys_.back(), key);
    keys_.push_back(key);
  }

  /// Keys at which the value jumps, if it does nothing else. Returns false if it does.
  bool make_steps() {
    keys_.clear();
    const std::span<const double> breaks = curve_.breaks;
    add_key(key_time(breaks[0]), curve_.value(breaks[0], Side::kAt));
    for (size_t i = 0; i < breaks.size(); ++i) {
      const Numbers at = curve_.value(breaks[i], Side::kAt);
      if (distance(keys_.back().value, at) > 0) add_key(key_time(breaks[i]), at);
      if (i + 1 == breaks.size()) break;
      const Numbers after = curve_.value(breaks[i], Side::kAfter);
      if (distance(at, after) > 0) add_key(std::nextafter(key_time(breaks[i]), 1e30f), after);
      for (const double share : kChecks) {
        const double seconds = breaks[i] + (breaks[i + 1] - breaks[i]) * share;
        if (distance(curve_.value(seconds, Side::kAt), after) > 0) return false;
      }
      if (distance(curve_.value(breaks[i + 1], Side::kBefore), after) > 0) return false;
    }
    return true;
  }

  /// The keys at the breaks: up to three where the value jumps.
  std::vector<FitKey> keys_at_breaks() const {
    std::vector<FitKey> keys;
    const std::span<const double> breaks = curve_.breaks;
    for (size_t i = 0; i < breaks.size(); ++i) {
      const float seconds = key_time(breaks[i]);
      const Numbers before = curve_.value(breaks[i], Side::kBefore), at = curve_.value(breaks[i], Side::kAt),
                    after = curve_.value(breaks[i], Side::kAfter);
      const bool jumps_to = i > 0 && !is_same(before, at), jumps_from = i + 1 < breaks.size() && !is_same(at, after);
      if (!keys.empty() && seconds <= keys.back().seconds && !jumps_to && !jumps_from) continue;  // the same time
      if (jumps_to) keys.push_back({seconds, {}, before, {}, true});
      const Numbers rounded = jumps_to || jumps_from ? at : curve_.value(time_of(seconds), Side::kAt);
      keys.push_back({seconds, {}, rounded, {}, jumps_from});
      if (jumps_from) keys.push_back({std::nextafter(seconds, 1e30f), {}, after, {}});
    }
    return keys;
  }

  /// The keys at the breaks, if lines between them are near enough. Returns false if they are not.
  bool lines_between_breaks() {
    keys_.assign(1, anchors_.front());
    for (size_t i = 1; i < anchors_.size(); ++i) {
      push(anchors_[i]);
      if (anchors_[i - 1].jumps) continue;
      const FitKey &from = keys_[i - 1], &to = keys_[i];
      if (pieces_between(from.seconds, to.seconds) > 1 || (can_halve(from, to) && !is_near(from, to))) return false;
    }
    return true;
  }

  /// Keys at all breaks, and between them where needed, up to `max_keys`.
  void make_keys(size_t max_keys) {
    max_keys_ = max_keys;
    keys_.assign(1, anchors_.front());
    for (size_t i = 1; i < anchors_.size(); ++i) {
      if (anchors_[i - 1].jumps) {
        push(anchors_[i]);
      } else {
        fill(anchors_[i]);
      }
    }
  }

  void push(FitKey key) {
    align(keys_.back(), key);
    keys_.push_back(key);
  }

  /// How many parts of an interval have keys of their own before it is compared.
  double pieces_between(float begin, float end) const {
    if (!is_rotation_ || !curve_.turned_degrees || !(end > begin)) return 1;
    return std::clamp(std::ceil(curve_.turned_degrees(time_of(begin), time_of(end)) / kDegreesPerKey), 1.0, kMaxPieces);
  }

  /// Adds keys up to `end`, a rotation's at most kDegreesPerKey apart.
  void fill(const FitKey& end) {
    const double first = keys_.back().seconds, duration = end.seconds - first;
    const double pieces = pieces_between(keys_.back().seconds, end.seconds);
    for (double piece = 1; piece < pieces && keys_.size() < max_keys_; ++piece) {
      add_interval(key_at(float(first + duration * piece / pieces)));
    }
    add_interval(end);
  }

  FitKey key_at(float seconds) const { return {seconds, {}, curve_.value(time_of(seconds), Side::kAt), {}}; }

  void align(const FitKey& from, FitKey& to) const {
    if (!is_rotation_ || dot(from.value, to.value) >= 0) return;
    for (Numbers* numbers : {&to.in, &to.value, &to.out}) *numbers = mix(*numbers, *numbers, -1, 0);
  }

  /// The slope of the function at a key: of its interval, on the side where `step` leads. From points inside, because
  /// the time of a key is rounded, and beyond a break the function is another. Of a cubic it is exact.
  Numbers slope_at(const FitKey& key, double step) const {
    const double seconds = time_of(key.seconds);
    const auto at = [&](double steps) { return value_at(seconds + steps * step, Side::kAt, key.value); };
    const Numbers near = mix(at(1), at(2), -13 / (3 * step), 19 / (2 * step));
    return mix(near, mix(at(3), at(4), -7 / step, 11 / (6 * step)), 1, 1);
  }

  /// The slope at a key inside an interval.
  Numbers slope_inside(const FitKey& key, double step) const {
    const double seconds = time_of(key.seconds);
    const auto at = [&](double steps) { return value_at(seconds + steps * step, Side::kAt, key.value); };
    const Numbers near = mix(at(1), at(-1), 2 / (3 * step), -2 / (3 * step));
    return mix(near, mix(at(2), at(-2), -1 / (12 * step), 1 / (12 * step)), 1, 1);
  }

  /// The largest distance between two keys, as a share of the tolerance; above 1 perhaps not the largest.
  double error_between(const FitKey& from, const FitKey& to) const {
    const double begin = time_of(from.seconds), duration = time_of(to.seconds) - begin;
    double largest = 0;
    for (const double share : kChecks) {
      const Numbers wanted = curve_.value(begin + duration * share, Side::kAt);
      const double error = distance(wanted, value_between(from, to, share, is_cubic_, is_rotation_));
      if (!(error <= curve_.tolerance)) return error / curve_.tolerance;
      largest = std::max(largest, error / curve_.tolerance);
    }
    return largest;
  }
  bool is_near(const FitKey& from, const FitKey& to) const { return error_between(from, to) <= 1; }

  static float middle_of(const FitKey& from, const FitKey& to) {
    return float((double(from.seconds) + to.seconds) / 2);
  }
  static bool can_halve(const FitKey& from, const FitKey& to) {
    return middle_of(from, to) > from.seconds && middle_of(from, to) < to.seconds;
  }

  /// Adds `to`, and before it as many keys as are needed after the last one.
  void add_interval(FitKey to) {
    align(keys_.back(), to);
    const double step = (double(to.seconds) - keys_.back().seconds) * kDifference;
    if (is_cubic_ && step > 0) {
      keys_.back().out = slope_at(keys_.back(), step);
      to.in = slope_at(to, -step);
    }
    cut(to, 0);
  }

  /// The same, where both keys have their slopes. `depth`: how often the interval was halved.
  void cut(FitKey to, int depth) {
    align(keys_.back(), to);
    const FitKey from = keys_.back();
    const bool ends = depth >= kMaxHalvings || !can_halve(from, to) || keys_.size() >= max_keys_;
    const double error = ends ? 0 : error_between(from, to);
    if (!(error > 1)) return keys_.push_back(to);
    // Errors of cubics fall with the fourth power of the parts, those of lines with the second.
    const double parts = std::clamp(std::ceil(std::pow(error, is_cubic_ ? 0.25 : 0.5)), 2.0, kMaxParts);
    const int halvings = int(std::ceil(std::log2(parts)));
    const double duration = double(to.seconds) - from.seconds;
    for (double part = 1; part < parts && keys_.size() < max_keys_; ++part) {
      FitKey key = key_at(float(from.seconds + duration * part / parts));
      if (!(key.seconds > keys_.back().seconds && key.seconds < to.seconds)) continue;
      align(keys_.back(), key);
      if (is_cubic_) key.in = key.out = slope_inside(key, duration / parts * kDifference);
      cut(key, depth + halvings);
    }
    cut(to, depth + halvings);
  }

  /// About how many keys lines need, where these cubics are near enough: by the curvature of each.
  double lines_instead_of(const std::vector<FitKey>& cubics) const {
    double count = double(cubics.size());
    for (size_t i = 1; i < cubics.size(); ++i) {
      const FitKey &from = cubics[i - 1], &to = cubics[i];
      const double d = double(to.seconds) - from.seconds;
      const Numbers change = mix(from.value, to.value, -1, 1);
      double bends = 0;  // at both ends, times d squared
      for (const bool first : {true, false}) {
        const Numbers slopes = mix(from.out, to.in, first ? -4 * d : 2 * d, first ? -2 * d : 4 * d);
        Numbers bend = mix(change, slopes, first ? 6 : -6, 1);
        const Numbers& value = first ? from.value : to.value;
        if (is_rotation_) bend = mix(bend, value, 1, -dot(bend, value));  // lines of rotations are arcs
        bends += length(bend) * (is_rotation_ ? 2 : 1);
      }
      count += std::sqrt(bends / 2 / 8 / curve_.tolerance);
    }
    return count;
  }

  const FitCurve& curve_;
  const bool is_rotation_;
  bool is_cubic_ = false;
  size_t max_keys_ = 0;
  std::vector<FitKey> anchors_;  // at the breaks
  std::vector<FitKey> keys_;
};

Quat to_quat(const Numbers& n) { return {float(n[0]), float(n[1]), float(n[2]), float(n[3])}; }
Vec3 to_vec3(const Numbers& n) { return {float(n[0]), float(n[1]), float(n[2])}; }
float scalar(const Numbers& n) { return float(n[0]); }

template <class Value>
Track<Value> fit(const FitCurve& curve, Value (*convert)(const Numbers&)) {
  Track<Value> track;
  const std::vector<FitKey> keys = Fitter(curve).fit(track.interpolation);
  if (keys.size() == 1) track.interpolation = Interpolation::kLinear;
  for (const FitKey& key : keys) {
    track.times_seconds.push_back(key.seconds);
    if (track.interpolation == Interpolation::kCubic) track.values.push_back(convert(key.in));
    track.values.push_back(convert(key.value));
    if (track.interpolation == Interpolation::kCubic) track.values.push_back(convert(key.out));
  }
  return track;
}

}  // namespace

double cubic_parameter(double x1, double x2, double x) {
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

Track<float> fit_scalar(const FitCurve& curve) { return fit(curve, scalar); }
Track<Vec3> fit_vector(const FitCurve& curve) { return fit(curve, to_vec3); }
Track<Quat> fit_rotation(const FitCurve& curve) { return fit(curve, to_quat); }

void sort_breaks(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace sinew::internal
