#include "fbx_own.h"

#include <cmath>

namespace sinew::test {
namespace {

Side seen_from_behind(Side side) {
  return side == Side::kBefore ? Side::kAfter : side == Side::kAfter ? Side::kBefore : Side::kAt;
}

/// The cubic with controls at 0, x1, x2 and 1, at `x`: by bisection of the parameter.
double bezier(double x1, double x2, const std::array<double, 4>& y, double x) {
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double t = (low + high) / 2, u = 1 - t;
    (3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t < x ? low : high) = t;
  }
  const double t = low, u = 1 - t;
  return u * u * u * y[0] + 3 * u * u * t * y[1] + 3 * u * t * t * y[2] + t * t * t * y[3];
}

constexpr double kFarthest = 40;  // seconds: of repetitions

double sign_of(double value) { return value < 0 ? -1 : 1; }

}  // namespace

/// The slope of the line after a key.
double OwnCurve::line(size_t i) const {
  return duration(i) > 0 ? (keys.values[i + 1] - keys.values[i]) / duration(i) : 0;
}

double OwnCurve::weight_after(size_t i) const {
  return has(i, kFbxWeightAfter) ? keys.attributes[i].weight_after * weight_unit : 1.0 / 3;
}

/// The file says it with the key before.
double OwnCurve::weight_before(size_t i) const {
  const bool is_given = i > 0 && is_cubic(i - 1) && has(i - 1, kFbxWeightBefore);
  return is_given ? keys.attributes[i - 1].weight_before * weight_unit : 1.0 / 3;
}

double OwnCurve::slope_after(size_t i) const {
  if (has(i, kFbxConstant)) return 0;
  if (!is_cubic(i)) return i + 1 < count() ? line(i) : 0;
  if (has(i, kFbxTcb)) return tcb_slope(i, true);
  const double number = double(keys.attributes[i].slope_after);
  if (has(i, kFbxUser)) return number;
  return auto_slope(i, number);
}

/// The slope that the file says with the key before, unless this key has a rule of its own.
double OwnCurve::slope_before(size_t i) const {
  const bool is_said = i > 0 && is_cubic(i - 1) && !has(i - 1, kFbxTcb);
  const double said = is_said ? double(keys.attributes[i - 1].slope_before) : 0;
  if (is_cubic(i) && has(i, kFbxTcb)) return tcb_slope(i, false);
  if (is_cubic(i) && !has(i, kFbxUser)) return auto_slope(i, -said);
  const bool ends_line = i > 0 && !has(i - 1, kFbxConstant) && !is_cubic(i - 1);
  return ends_line ? line(i - 1) : said;
}

/// Half of it is the slope between the neighbors, half that of the parabola through them and the key.
double OwnCurve::auto_slope(size_t i, double bias) const {
  const std::vector<double>& v = keys.values;
  const bool has_one = has_last(i) || has_next(i), is_even = has(i, kFbxTimeIndependent);
  const double excess = std::max(std::abs(bias) / 100 - 5, 0.0), extra = 40 * excess * excess;
  if (!has_one) return 0;
  if (has(i, kFbxClamp) && ((has_last(i) && v[i - 1] == v[i]) || (has_next(i) && v[i + 1] == v[i]))) return 0;
  if (!has_last(i) || !has_next(i)) {
    if (has(i, kFbxProgressive)) return 0;
    return (has_last(i) ? line(i - 1) : line(i)) + (is_even ? 0 : sign_of(bias) * extra);
  }
  const double first = duration(i - 1), both = first + duration(i);
  double slope = (v[i + 1] - v[i - 1]) / both;
  if (!is_even) {
    const double parabola = line(i - 1) + (line(i) - line(i - 1)) / both * first;
    slope = (slope + parabola) / 2;
    const double change = (bias > 0 ? line(i) : line(i - 1)) - slope;
    slope += change * std::abs(bias) / 100 + sign_of(change) * extra;
  }
  if (!has(i, kFbxProgressive)) return slope;
  // The steepest slope whose tangents end below and above the neighbors' values.
  const double sign = sign_of(slope);
  const auto overshoots = [&](double steep) {
    return steep * weight_before(i) * first > sign * (v[i] - v[i - 1]) ||
           steep * weight_after(i) * duration(i) > sign * (v[i + 1] - v[i]);
  };
  if (!overshoots(std::abs(slope))) return slope;
  double low = 0, high = std::abs(slope);
  for (int round = 0; round < 80; ++round) {
    const double middle = (low + high) / 2;
    (overshoots(middle) ? high : low) = middle;
  }
  return sign * low;
}

/// Kochanek and Bartels, 1984: equations 8 and 9, by time.
double OwnCurve::tcb_slope(size_t i, bool is_after) const {
  const FbxKeyAttribute& a = keys.attributes[i];
  const double tension = double(a.slope_after), bias = double(a.bias);
  const double continuity = is_after ? double(a.slope_before) : -double(a.slope_before);
  double sum = 0;
  if (has_last(i)) sum += (1 + continuity) * (1 + bias) * line(i - 1);
  if (has_next(i)) sum += (1 - continuity) * (1 - bias) * line(i);
  return (1 - tension) * sum / (has_last(i) && has_next(i) ? 2 : 1);
}

std::array<double, 4> OwnCurve::controls(size_t i) const {
  const double from = keys.values[i], to = keys.values[i + 1], d = duration(i);
  return {from, from + slope_after(i) * weight_after(i) * d, to - slope_before(i + 1) * weight_before(i + 1) * d, to};
}

double OwnCurve::in_interval(size_t i, double seconds) const {
  const double share = duration(i) > 0 ? (seconds - keys.seconds[i]) / duration(i) : 1;
  if (has(i, kFbxConstant)) return keys.values[has(i, kFbxConstantNext) ? i + 1 : i];
  if (!is_cubic(i)) return keys.values[i] * (1 - share) + keys.values[i + 1] * share;
  return bezier(weight_after(i), 1 - weight_before(i + 1), controls(i), share);
}

/// Of several keys at one time, the last one counts at it.
double OwnCurve::inside(double seconds, Side side) const {
  const std::vector<double>& times = keys.seconds;
  for (size_t i = count(); i-- > 0;) {
    if (side == Side::kAt && times[i] == seconds) return keys.values[i];
    if (i + 1 == count()) continue;
    const bool holds = side == Side::kBefore ? times[i] < seconds && seconds <= times[i + 1]
                                             : times[i] <= seconds && seconds < times[i + 1];
    if (holds) return in_interval(i, seconds);
  }
  return keys.values.back();
}

/// Goes from repetition to repetition, away from the keys.
double OwnCurve::outside(double seconds, Side side) const {
  const double first = keys.seconds.front(), last = keys.seconds.back(), whole = last - first;
  const bool is_after = seconds > first || (seconds == first && side != Side::kBefore);
  const Beyond& rule = is_after ? after : before;
  const double end = is_after ? keys.values.back() : keys.values.front();
  if (rule.mode == 'K') {
    return is_after ? end + slope_before(count() - 1) * (seconds - last) : end + slope_after(0) * (seconds - first);
  }
  if (rule.mode == 'C' || rule.count == 0 || whole == 0) return end;
  const double step = is_after ? keys.values.back() - keys.values.front() : keys.values.front() - keys.values.back();
  for (int round = 1;; ++round) {
    const double begin = is_after ? last + (round - 1) * whole : first - round * whole;
    const bool is_mirrored = rule.mode == 'M' && round % 2 == 1;
    const double offset = rule.mode == 'A' ? round * step : 0;
    if (rule.count > 0 && round > rule.count) {  // it holds where the last repetition ended
      const bool ends_at_last = is_after != (rule.mode == 'M' && rule.count % 2 == 1);
      return (ends_at_last ? keys.values.back() : keys.values.front()) + (rule.mode == 'A' ? rule.count * step : 0);
    }
    const bool holds = side == Side::kBefore ? begin < seconds && seconds <= begin + whole
                                             : begin <= seconds && seconds < begin + whole;
    if (!holds) continue;
    return offset + (is_mirrored ? inside(last - (seconds - begin), seen_from_behind(side))
                                 : inside(first + (seconds - begin), side));
  }
}

double OwnCurve::value(double seconds, Side side) const {
  if (count() == 1) return keys.values[0];
  const double first = keys.seconds.front(), last = keys.seconds.back();
  const bool is_outside = seconds < first || seconds > last || (seconds == first && side == Side::kBefore) ||
                          (seconds == last && side == Side::kAfter);
  return is_outside ? outside(seconds, side) : inside(seconds, side);
}

bool OwnCurve::is_seam(double seconds) const {
  const double first = keys.seconds.front(), last = keys.seconds.back();
  const double round = last > first ? (seconds - first) / (last - first) : 0.5;
  return (seconds < first || seconds > last) && std::abs(round - std::round(round)) < 1e-9;
}

std::vector<double> OwnCurve::breaks(double begin, double end) const {
  std::vector<double> times = keys.seconds;
  const double first = keys.seconds.front(), last = keys.seconds.back(), whole = last - first;
  const auto repeat = [&](const Beyond& rule, double sign) {
    if (rule.mode == 'C' || rule.mode == 'K' || whole == 0) return;
    for (int round = 1; round * whole <= kFarthest && (rule.count < 0 || round <= rule.count); ++round) {
      const bool is_mirrored = rule.mode == 'M' && round % 2 == 1;
      for (const double time : keys.seconds)
        times.push_back((is_mirrored ? first + last - time : time) + sign * round * whole);
    }
  };
  repeat(before, -1), repeat(after, 1);
  std::erase_if(times, [&](double time) { return time < begin || time > end; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

double OwnCurve::longest_way() const {
  double longest = 0;
  for (size_t i = 0; i + 1 < count(); ++i) {
    const std::array<double, 4> y = controls(i);
    const double way =
        is_cubic(i) ? std::abs(y[1] - y[0]) + std::abs(y[2] - y[1]) + std::abs(y[3] - y[2]) : std::abs(y[3] - y[0]);
    longest = std::max(longest, way);
  }
  return longest;
}

FbxKeys OwnCurve::written() const {
  FbxKeys file = keys;
  file.records = fbx_extrapolation("Pre", before.mode, before.count) +
                 fbx_extrapolation("Post", after.mode, after.count) + file.records;
  return file;
}

std::string OwnCurve::written_as_take(int version, OwnRandom& random) const {
  std::string list;
  const auto number = [](double value) {
    char text[32];
    snprintf(text, sizeof text, ",%.17g", value);
    return std::string(text);
  };
  for (size_t i = 0; i < count(); ++i) {
    const FbxKeyAttribute& a = keys.attributes[i];
    list += (i > 0 ? "," : "") + std::to_string(fbx_ticks(keys.seconds[i])) + number(keys.values[i]);
    if (has(i, kFbxConstant)) list += version < 4004 ? ",C" : has(i, kFbxConstantNext) ? ",C,n" : ",C,s";
    if (!has(i, kFbxConstant)) list += is_cubic(i) ? ",U" : ",L";
    if (!is_cubic(i)) continue;
    const bool after_too = has(i, kFbxWeightAfter), before_too = has(i, kFbxWeightBefore);
    int weights = version == 4003 ? 0 : 1;
    if (has(i, kFbxUser)) {
      list += random.one_of({",s", ",b"}) + number(double(a.slope_after)) + number(double(a.slope_before));
    } else {  // all kinds of slopes that are left to the reader, with numbers that say nothing here
      const char kind = after_too || before_too ? random.one_of({'d', 'p'}) : random.one_of({'a', 'd', 'p', 't'});
      list += kind == 'a' ? ",a" : kind == 'd' ? ",d,7" : kind == 'p' ? ",p,7,8" : ",t,7,8,9";
      weights = kind == 't' ? 0 : kind == 'd' ? 1 : version <= 4004 ? (kind == 'p') : (kind == 'p' ? 2 : 1);
    }
    for (int k = 0; k < weights; ++k) {
      list += after_too && before_too ? ",a" : after_too ? ",r" : before_too ? ",l" : ",n";
      if (after_too) list += number(weight_after(i));
      if (before_too) list += number(a.weight_before * weight_unit);
    }
  }
  return list;
}

// --- random curves ---

namespace {

/// A key of any kind.
FbxKeyAttribute random_attribute(OwnRandom& random, const CurveRange& range) {
  const int kind = random.below(7);
  if (kind == 0) return {kFbxConstant | (random.chance(40) ? kFbxConstantNext : 0u)};
  if (kind <= 2) return {kFbxLinear};
  FbxKeyAttribute key{kFbxCubic};
  if (kind == 3) {
    key.flags |= kFbxTcb;
    for (float* number : {&key.slope_after, &key.slope_before, &key.bias}) *number = float(random.between(-0.9, 0.9));
    return key;
  }
  if (kind == 4) {
    key.flags |= kFbxUser;
    for (float* slope : {&key.slope_after, &key.slope_before})
      *slope = float(random.between(-range.steepest, range.steepest));
  } else {
    if (random.chance(30)) key.flags |= kFbxClamp;
    if (random.chance(40)) key.flags |= kFbxTimeIndependent;
    if (random.chance(40)) key.flags |= kFbxProgressive;
    const float most = range.is_tame ? 100.0f : 560.0f;
    key.slope_after = random.one_of({0.0f, 0.0f, -40.0f, 70.0f, most});
    key.slope_before = random.chance(50) ? -key.slope_after : random.one_of({0.0f, 30.0f, -80.0f});
  }
  for (const FbxKeyFlag side : {kFbxWeightAfter, kFbxWeightBefore}) {
    if (random.chance(40)) key.flags |= side;
  }
  const int longest = range.is_tame ? 5000 : 9000;
  key.weight_after = uint16_t(500 + random.below(longest - 500));
  key.weight_before = uint16_t(500 + random.below(longest - 500));
  return key;
}

OwnCurve::Beyond random_beyond(OwnRandom& random) {
  return {random.one_of({'C', 'K', 'R', 'M', 'A'}), random.one_of({-1, -1, 0, 1, 2, 3})};
}

}  // namespace

OwnCurve random_curve(OwnRandom& random, const CurveRange& range) {
  OwnCurve curve;
  double seconds = random.exactly(range.begin, (range.begin + range.end) / 2);
  for (int left = 1 + random.below(6); left > 0 && seconds <= range.end; --left) {
    const bool is_equal = !curve.keys.values.empty() && random.chance(15);
    const double value = is_equal ? curve.keys.values.back() : random.between(range.low, range.high);
    curve.keys.values.push_back(value);
    curve.keys.seconds.push_back(seconds);
    curve.keys.attributes.push_back(random_attribute(random, range));
    const bool stays = !range.is_tame && curve.keys.seconds.size() > 1 && random.chance(10);
    seconds += stays ? 0 : random.exactly(1 / 16.0, 1.25);
  }
  curve.before = random_beyond(random), curve.after = random_beyond(random);
  return curve;
}

OwnCurve random_take_curve(OwnRandom& random, int version) {
  OwnCurve curve = random_curve(random);
  constexpr uint32_t kWeights = kFbxWeightAfter | kFbxWeightBefore;
  const uint32_t said = kFbxConstant | kFbxCubic | kFbxUser | kWeights | (version == 4003 ? 0u : kFbxConstantNext);
  for (FbxKeyAttribute& key : curve.keys.attributes) {
    key.flags &= said;
    if (version == 4003 && (key.flags & kFbxUser) != 0) key.flags &= ~kWeights;
    const bool is_auto = (key.flags & kFbxCubic) != 0 && (key.flags & kFbxUser) == 0;
    if (!is_auto) continue;
    key.flags |= kFbxProgressive | kFbxTimeIndependent;
    key.slope_after = key.slope_before = 0;
  }
  return curve;
}

}  // namespace sinew::test
