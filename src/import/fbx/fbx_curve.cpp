#include "fbx/fbx_curve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "curve_fit.h"
#include "failure.h"

namespace sinew::internal {
namespace {

using Mode = FbxExtrapolation::Mode;

constexpr size_t kMaxRepetitions = 10000;  // that get keys
constexpr double kSameTime = 1e-9;         // seconds

Side flipped(Side side) {
  return side == Side::kBefore ? Side::kAfter : side == Side::kAfter ? Side::kBefore : Side::kAt;
}

double cubic_value(const FbxKey& from, const FbxKey& to, double share) {
  const double duration = to.seconds - from.seconds, x1 = from.weight_after, x2 = 1 - to.weight_before;
  const bool is_even = std::abs(x1 - 1.0 / 3) < 1e-5 && std::abs(x2 - 2.0 / 3) < 1e-5;
  const double t = is_even ? share : cubic_parameter(x1, x2, share), u = 1 - t;
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

// Keys of curves as files have them: arrays since version 7.0, one mixed list before. What flags and letters mean is
// from observation of files, and from the documentation of ufbx (Samuli Raivio).

enum KeyFlags : uint32_t {
  kConstant = 0x2,
  kCubic = 0x8,
  kConstantNext = 0x100,  // with kConstant
  kTcb = 0x200,           // tension, continuity, bias
  kUser = 0x400,          // the file has the slopes
  kClamp = 0x1000,        // flat beside a key of the same value
  kTimeIndependent = 0x2000,
  kProgressive = 0x4000,  // no overshooting
  kWeightAfter = 0x1000000,
  kWeightBefore = 0x2000000,  // of the next key
};

struct Slopes {
  double before = 0, after = 0;
};

/// A key between others. A neighbor is null at an end of the curve.
struct Neighbors {
  const FbxKey* last;
  const FbxKey& key;
  const FbxKey* next;
};

double secant(const FbxKey& from, const FbxKey& to) {
  const double duration = to.seconds - from.seconds;
  return duration > 0 ? (to.value - from.value) / duration : 0;
}

/// A bias beyond 500 % steepens a slope in addition.
double extra_slope(double bias, double direction) {
  const double extra = std::abs(bias) / 100 - 5;
  return extra > 0 ? std::copysign(extra * extra * 40, direction) : 0;
}

double limited(double slope, const Neighbors& at) {
  const double sign = slope >= 0 ? 1 : -1;
  const auto steepest = [&](const FbxKey& from, const FbxKey& to, double weight) {
    const double limit = weight > 0 ? sign * secant(from, to) / weight : 0;
    return limit > 0 ? limit : 0;
  };
  return sign * std::min({std::abs(slope), steepest(*at.last, at.key, at.key.weight_before),
                          steepest(at.key, *at.next, at.key.weight_after)});
}

/// The slope that a curve has where the file leaves it to the reader. `bias` is in percent, towards the next key.
double auto_slope(const Neighbors& at, double bias, uint32_t flags) {
  const bool clamps = (flags & kClamp) != 0, progressive = (flags & kProgressive) != 0;
  const auto is_flat = [&](const FbxKey* other) { return clamps && other != nullptr && other->value == at.key.value; };
  if (is_flat(at.last) || is_flat(at.next)) return 0;
  if (at.last == nullptr || at.next == nullptr) {
    if (progressive || (at.last == nullptr && at.next == nullptr)) return 0;
    const double slope = at.next == nullptr ? secant(*at.last, at.key) : secant(at.key, *at.next);
    return (flags & kTimeIndependent) != 0 ? slope : slope + extra_slope(bias, bias);
  }
  double slope = secant(*at.last, *at.next);
  if ((flags & kTimeIndependent) == 0) {
    const double before = secant(*at.last, at.key), after = secant(at.key, *at.next);
    const double share = (at.key.seconds - at.last->seconds) / (at.next->seconds - at.last->seconds);
    slope = (slope + before * (1 - share) + after * share) / 2;
    if (const double strength = std::abs(bias) / 100; strength > 1e-4) {
      const double target = bias > 0 ? after : before, change = target - slope;
      slope += change * strength + extra_slope(bias, std::abs(change) > 1e-5 ? change : bias);
    }
  }
  return progressive ? limited(slope, at) : slope;
}

/// Source: D. Kochanek, R. Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias Control", 1984.
Slopes tcb_slopes(const Neighbors& at, double tension, double continuity, double bias) {
  const double before = at.last == nullptr ? 0 : secant(*at.last, at.key);
  const double after = at.next == nullptr ? 0 : secant(at.key, *at.next);
  const double factor = (at.last == nullptr || at.next == nullptr ? 1 : 0.5) * (1 - tension);
  return {factor * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * after),
          factor * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * after)};
}

FbxExtrapolation read_extrapolation(const FbxRecord& curve, std::string_view name) {
  FbxExtrapolation result;
  const FbxRecord* record = curve.child(name);
  const FbxRecord* type = record == nullptr ? nullptr : record->child("Type");
  if (type == nullptr) return result;
  const std::string_view word = type->bytes(0);
  const char letter = word.empty() ? char(type->integer(0)) : word.front();
  constexpr std::pair<char, Mode> kModes[] = {
      {'K', Mode::kSlope}, {'R', Mode::kRepeat}, {'M', Mode::kMirror}, {'A', Mode::kRepeatWithOffset}};
  for (const auto& [name_of_mode, mode] : kModes) {
    if (letter == name_of_mode) result.mode = mode;
  }
  if (const FbxRecord* repetitions = record->child("Repetition")) result.count = repetitions->integer(0, -1);
  return result;
}

/// The unit of packed weights. Autodesk's library writes 3333 for a third: MotionBuilder's own values of such curves
/// are met to 3e-6 with 1 / 9999, and to 6e-4 with 0.0001. Other writers have decimal numbers with four digits.
double weight_unit(const FbxDocument& document) {
  const FbxRecord* header = document.find("FBXHeaderExtension");
  const FbxRecord* creator = header == nullptr ? nullptr : header->child("Creator");
  return creator != nullptr && creator->bytes(0).starts_with("FBX SDK") ? 1 / 9999.0 : 1e-4;
}

/// Two weights in the bits of one float.
std::pair<double, double> packed_weights(float number, double unit) {
  const auto bits = std::bit_cast<uint32_t>(number);
  return {(bits & 0xffff) * unit, (bits >> 16) * unit};
}

/// Sorts the keys by time, and drops and counts those that are not finite. Slopes that are not finite, as beside such a
/// key, become those of lines.
void clean(FbxCurve& curve, uint32_t& dropped_keys) {
  std::vector<FbxKey>& keys = curve.keys;
  const size_t count = keys.size();
  std::erase_if(keys, [](const FbxKey& key) { return !std::isfinite(key.seconds + key.value); });
  dropped_keys += uint32_t(count - keys.size());
  std::stable_sort(keys.begin(), keys.end(), [](const FbxKey& a, const FbxKey& b) { return a.seconds < b.seconds; });
  for (size_t i = 0; i + 1 < keys.size(); ++i) {
    FbxKey &key = keys[i], &next = keys[i + 1];
    if (!std::isfinite(key.slope_after)) key.slope_after = secant(key, next);
    if (!std::isfinite(next.slope_before)) next.slope_before = secant(key, next);
  }
}

Neighbors neighbors_of(const std::vector<FbxKey>& keys, size_t i) {
  const bool has_last = i > 0 && keys[i - 1].seconds < keys[i].seconds;
  const bool has_next = i + 1 < keys.size() && keys[i].seconds < keys[i + 1].seconds;
  return {has_last ? &keys[i - 1] : nullptr, keys[i], has_next ? &keys[i + 1] : nullptr};
}

/// Gives a key with a line after it, and the next one, the slope of the line. What a file says of the next key replaces
/// it.
void set_slopes_of_line(size_t i, std::vector<FbxKey>& keys) {
  if (i + 1 < keys.size()) keys[i].slope_after = keys[i + 1].slope_before = secant(keys[i], keys[i + 1]);
}

/// Flags and four numbers, for a run of keys.
struct Attributes {
  uint32_t flags = 0;
  std::array<float, 4> numbers{};
  double weight_unit = 0;
};

/// Gives key `i`, and the next one, what its attributes say of the interval between them.
void apply(const Attributes& attributes, size_t i, std::vector<FbxKey>& keys) {
  FbxKey& key = keys[i];
  FbxKey* next = i + 1 < keys.size() ? &keys[i + 1] : nullptr;
  const uint32_t flags = attributes.flags;
  if ((flags & kConstant) != 0) {
    key.interpolation =
        (flags & kConstantNext) != 0 ? FbxKey::Interpolation::kConstantNext : FbxKey::Interpolation::kConstant;
    return;
  }
  if ((flags & kCubic) == 0) return set_slopes_of_line(i, keys);
  key.interpolation = FbxKey::Interpolation::kCubic;
  const std::array<float, 4>& n = attributes.numbers;
  const auto [weight_after, weight_before] = packed_weights(n[2], attributes.weight_unit);
  if ((flags & kWeightAfter) != 0) key.weight_after = weight_after;
  if (next != nullptr && (flags & kWeightBefore) != 0) next->weight_before = weight_before;
  const Neighbors at = neighbors_of(keys, i);
  if ((flags & kTcb) != 0) {
    const Slopes slopes = tcb_slopes(at, double(n[0]), double(n[1]), double(n[2]));
    key.slope_before = slopes.before, key.slope_after = slopes.after;
    return;
  }
  key.slope_after = double(n[0]);
  if ((flags & kUser) == 0) {
    const double bias_before = key.slope_before, bias_after = double(n[0]);
    key.slope_after = auto_slope(at, bias_after, flags);
    const bool is_smooth = std::abs(bias_before + bias_after) <= 1e-4 || at.last == nullptr || at.next == nullptr;
    if (at.next == nullptr) key.slope_after = auto_slope(at, -bias_before, flags);
    key.slope_before = is_smooth ? key.slope_after : auto_slope(at, -bias_before, flags);
  }
  if (next != nullptr) next->slope_before = double(n[1]);
}

// --- before version 7.0 ---

/// A list of numbers and letters.
class MixedList {
 public:
  explicit MixedList(const std::vector<FbxValue>& values) : values_(values) {}

  double number() {
    FbxRecord one;
    one.values.assign(1, next());
    return one.real(0);
  }
  char letter() {
    const FbxValue& value = next();
    if (value.kind == FbxValue::Kind::kInteger) return char(value.integer);
    return value.bytes.empty() ? '\0' : value.bytes.front();
  }
  void skip(int count) {
    for (; count > 0; --count) next();
  }

 private:
  const FbxValue& next() {
    require(at_ < values_.size(), [] { return "a list of keys ends too early"; });
    return values_[at_++];
  }
  const std::vector<FbxValue>& values_;
  size_t at_ = 0;
};

/// What follows a cubic key.
struct TakeSlopes {
  bool is_auto = false;
  double after = 0, before = 0, weight_after = 1.0 / 3, weight_before = 1.0 / 3;  // before: of the next key
};

TakeSlopes read_take_slopes(MixedList& list, int64_t version) {
  TakeSlopes result;
  int weights = 1;
  switch (const char mode = list.letter(); mode) {
    case 's':
    case 'b':
      result.after = list.number(), result.before = list.number();
      weights = version == 4003 ? 0 : 1;
      break;
    case 'a':
      result.is_auto = true, weights = version <= 4004 ? 0 : 1;
      break;
    case 'p':
    case 'q':
      result.is_auto = true, list.skip(2), weights = version <= 4004 ? 1 : 2;
      break;
    case 't':
      result.is_auto = true, list.skip(3), weights = 0;
      break;
    case 'd':
      result.is_auto = true, list.skip(1);
      break;
    default:
      fail(std::string("a key has slopes of an unknown kind, '") + mode + "'");
  }
  for (; weights > 0; --weights) {
    const char mode = list.letter();
    if (mode == 'a' || mode == 'r') result.weight_after = list.number();
    if (mode == 'a' || mode == 'l') result.weight_before = list.number();
  }
  return result;
}

/// Reads what follows time and value of key `i`. Returns whether its slope is left to the reader.
bool read_take_key(MixedList& list, int64_t version, size_t i, std::vector<FbxKey>& keys) {
  FbxKey& key = keys[i];
  const char mode = list.letter();
  if (mode == 'C') {
    const bool is_next = version >= 4004 && list.letter() == 'n';
    key.interpolation = is_next ? FbxKey::Interpolation::kConstantNext : FbxKey::Interpolation::kConstant;
  }
  require(mode == 'C' || mode == 'L' || mode == 'U', [] { return "a key has an unknown interpolation"; });
  if (mode != 'U') return false;
  key.interpolation = FbxKey::Interpolation::kCubic;
  const TakeSlopes slopes = read_take_slopes(list, version);
  key.slope_after = slopes.after, key.weight_after = slopes.weight_after;
  if (i + 1 < keys.size()) {
    keys[i + 1].slope_before = slopes.before, keys[i + 1].weight_before = slopes.weight_before;
  }
  return slopes.is_auto;
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

FbxCurve read_fbx_curve(const FbxDocument& document, const FbxRecord& record, double ticks_per_second,
                        uint32_t& dropped_keys) {
  const std::vector<int64_t> times = document.integers(record.child("KeyTime"));
  const std::vector<double> values = document.reals(record.child("KeyValueFloat"));
  const std::vector<int64_t> flags = document.integers(record.child("KeyAttrFlags"));
  const std::vector<float> numbers = document.packed_floats(record.child("KeyAttrDataFloat"));
  const std::vector<int64_t> runs = document.integers(record.child("KeyAttrRefCount"));
  require(times.size() == values.size(), [] { return "a curve has other numbers of times and of values"; });

  FbxCurve curve;
  curve.before = read_extrapolation(record, "Pre-Extrapolation");
  curve.after = read_extrapolation(record, "Post-Extrapolation");
  curve.keys.resize(times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    curve.keys[i].seconds = double(times[i]) / ticks_per_second;
    curve.keys[i].value = values[i];
  }
  const double unit = weight_unit(document);
  size_t key = 0;
  for (size_t run = 0; run < runs.size() && run < flags.size(); ++run) {
    Attributes attributes{uint32_t(flags[run]), {}, unit};
    for (size_t i = 0; i < 4 && run * 4 + i < numbers.size(); ++i) attributes.numbers[i] = numbers[run * 4 + i];
    for (int64_t i = 0; i < runs[run] && key < curve.keys.size(); ++i) apply(attributes, key++, curve.keys);
  }
  for (; key < curve.keys.size(); ++key) set_slopes_of_line(key, curve.keys);  // without attributes
  clean(curve, dropped_keys);
  return curve;
}

FbxCurve read_fbx_take_curve(const FbxRecord& channel, double ticks_per_second, uint32_t& dropped_keys) {
  FbxCurve curve;
  const FbxRecord *list = channel.child("Key"), *key_count = channel.child("KeyCount");
  if (list == nullptr || key_count == nullptr) return curve;
  const FbxRecord* version_record = channel.child("KeyVer");
  const int64_t version = version_record == nullptr ? 4005 : version_record->integer(0, 4005);
  curve.before = read_extrapolation(channel, "Pre-Extrapolation");
  curve.after = read_extrapolation(channel, "Post-Extrapolation");
  const int64_t count = key_count->integer(0);
  require(count >= 0 && uint64_t(count) <= list->values.size(), [] { return "a list of keys ends too early"; });
  curve.keys.resize(size_t(count));
  MixedList values(list->values);
  std::vector<size_t> autos;
  for (size_t i = 0; i < curve.keys.size(); ++i) {
    curve.keys[i].seconds = values.number() / ticks_per_second;
    curve.keys[i].value = values.number();
    if (read_take_key(values, version, i, curve.keys)) autos.push_back(i);
  }
  for (size_t i = 0; i < curve.keys.size(); ++i) {
    if (curve.keys[i].interpolation == FbxKey::Interpolation::kLinear) set_slopes_of_line(i, curve.keys);
  }
  for (const size_t i : autos) {
    const double slope = auto_slope(neighbors_of(curve.keys, i), 0, kProgressive | kTimeIndependent);
    curve.keys[i].slope_before = curve.keys[i].slope_after = slope;
  }
  clean(curve, dropped_keys);
  return curve;
}

}  // namespace sinew::internal
