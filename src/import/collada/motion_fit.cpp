#include "collada/motion_fit.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "linear_keys.h"

namespace sinew::internal {
namespace {

constexpr int kMaxHalvings = 12;                                 // between two corner times
constexpr double kProbes[] = {0.137, 0.291, 0.5, 0.683, 0.871};  // uneven: a whole turn is not taken for standing still

struct Sample {
  double time = 0;
  Transform value;
};

double distance(Vec3 a, Vec3 b) { return length(a - b); }

/// The angle between two rotations, for small angles.
double distance(Quat a, Quat b) {
  const float sign = dot(a, b) < 0 ? -1.0f : 1.0f;
  const auto square = [&](float x, float y) { return double(x - sign * y) * double(x - sign * y); };
  return 2 * std::sqrt(square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z) + square(a.w, b.w));
}

/// Not close: farther apart than `limit`. What is not finite is never far: more keys do not help.
bool is_far(double distance, double limit) { return distance > limit; }

double share_of(Vec3 v, double share) { return share * std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

/// Far from the origin floats are coarser than the tolerance.
double translation_limit(Vec3 translation, double limit) { return std::max(limit, share_of(translation, 5e-7)); }

bool is_far(const Transform& a, const Transform& b, const MotionTolerance& tolerance) {
  return is_far(distance(a.translation, b.translation), translation_limit(a.translation, tolerance.translation)) ||
         is_far(distance(a.rotation, b.rotation), tolerance.rotation) ||
         is_far(distance(a.scale, b.scale), share_of(a.scale, tolerance.scale));
}

Transform between(const Sample& a, const Sample& b, double time) {
  const float share = float((time - a.time) / (b.time - a.time));
  return {mix(a.value.translation, b.value.translation, share), mix(a.value.rotation, b.value.rotation, share),
          mix(a.value.scale, b.value.scale, share)};
}

/// The samples from one corner time to the next: as many as linear interpolation needs.
class Interval {
 public:
  Interval(const Motion& motion, double from, double to, const MotionTolerance& tolerance)
      : motion_(motion), inside_((from + to) / 2), tolerance_(tolerance) {
    samples_.push_back({from, motion(from, inside_)});
    add({to, motion(to, inside_)}, kMaxHalvings);
  }

  const std::vector<Sample>& samples() const { return samples_; }

 private:
  bool is_straight(const Sample& a, const Sample& b) const {
    return std::none_of(std::begin(kProbes), std::end(kProbes), [&](double share) {
      const double time = a.time + (b.time - a.time) * share;
      return is_far(motion_(time, inside_), between(a, b, time), tolerance_);
    });
  }

  void add(const Sample& end, int halvings) {
    const Sample start = samples_.back();
    const double middle = (start.time + end.time) / 2;
    const bool can_halve = float(start.time) < float(middle) && float(middle) < float(end.time);
    if (halvings > 0 && can_halve && !is_straight(start, end)) {
      add({middle, motion_(middle, inside_)}, halvings - 1);
      add(end, halvings - 1);
    } else {
      samples_.push_back(end);
    }
  }

  const Motion& motion_;
  const double inside_;
  const MotionTolerance& tolerance_;
  std::vector<Sample> samples_;
};

/// One property of all intervals.
template <class Value>
class Property {
 public:
  Property(Value Transform::*member, double limit, bool is_share)
      : member_(member), limit_(limit), is_share_(is_share) {}

  void add(const std::vector<Sample>& interval) {
    const Value first = interval.front().value.*member_, last = interval.back().value.*member_;
    const bool jumps = !values_.empty() && is_far(distance(values_.back(), first), limit(first));
    if (values_.empty() || jumps) append(interval.front().time, first);
    if (distance(first, last) != 0) stands_still_ = false;
    has_jump_ |= jumps;
    if (!is_straight(interval)) {
      stands_still_ = false;
      for (size_t i = 1; i + 1 < interval.size(); ++i) append(interval[i].time, interval[i].value.*member_);
    }
    append(interval.back().time, last);
  }

  /// Adds the value after the last corner time.
  void finish(const Sample& last) {
    const Value value = last.value.*member_;
    const bool jumps = !values_.empty() && is_far(distance(values_.back(), value), limit(value));
    if (values_.empty() || jumps) append(last.time, value);
    has_jump_ |= jumps;
  }

  Track<Value> track() {
    Track<Value> track;
    if (!has_jump_ && stands_still_ && times_.size() > 2) {
      keep_ends();
    } else if (has_jump_ && stands_still_) {
      track.interpolation = Interpolation::kStep;
      keep_last_of_equal_times();
    }
    track.times_seconds = std::move(times_);
    track.values = std::move(values_);
    return track;
  }

 private:
  double limit(const Value& value) const {
    if constexpr (std::is_same_v<Value, Vec3>) {
      return is_share_ ? share_of(value, limit_) : translation_limit(value, limit_);
    } else {
      return limit_;
    }
  }

  void append(double time, const Value& value) {
    times_.push_back(float(time));
    values_.push_back(value);
  }

  bool is_straight(const std::vector<Sample>& interval) const {
    const Sample &a = interval.front(), &b = interval.back();
    return std::none_of(interval.begin() + 1, interval.end() - 1, [&](const Sample& sample) {
      const Value value = sample.value.*member_;
      return is_far(distance(value, between(a, b, sample.time).*member_), limit(value));
    });
  }

  void keep_ends() {
    times_ = {times_.front(), times_.back()};
    values_ = {values_.front(), values_.back()};
  }

  void keep_last_of_equal_times() {
    size_t kept = 0;
    for (size_t i = 0; i < times_.size(); ++i) {
      if (kept > 0 && times_[kept - 1] == times_[i]) --kept;
      times_[kept] = times_[i], values_[kept] = values_[i];
      ++kept;
    }
    times_.resize(kept), values_.resize(kept);
  }

  Value Transform::*member_;
  double limit_;
  bool is_share_;
  bool stands_still_ = true, has_jump_ = false;
  std::vector<float> times_;
  std::vector<Value> values_;
};

}  // namespace

SceneTracks fit_motion(const Motion& motion, std::span<const double> corner_times, const MotionTolerance& tolerance) {
  SceneTracks tracks;
  if (corner_times.empty()) return tracks;
  Property<Vec3> translation(&Transform::translation, tolerance.translation, false);
  Property<Quat> rotation(&Transform::rotation, tolerance.rotation, false);
  Property<Vec3> scale(&Transform::scale, tolerance.scale, true);
  for (size_t i = 0; i + 1 < corner_times.size(); ++i) {
    const Interval interval(motion, corner_times[i], corner_times[i + 1], tolerance);
    translation.add(interval.samples());
    rotation.add(interval.samples());
    scale.add(interval.samples());
  }
  const double end = corner_times.back();
  const Sample last{end, motion(end, std::nextafter(end, HUGE_VAL))};
  translation.finish(last);
  rotation.finish(last);
  scale.finish(last);
  tracks.translation = translation.track();
  tracks.rotation = rotation.track();
  tracks.scale = scale.track();
  return tracks;
}

}  // namespace sinew::internal
