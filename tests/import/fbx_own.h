// Curves of FBX files as their rules say, evaluated slowly and without the code under test; and random ones.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "curve_fit.h"
#include "fbx_builder.h"
#include "own_matrix.h"

namespace sinew::test {

using internal::Side;

/// Random numbers of a seed, the same on every platform.
class OwnRandom {
 public:
  explicit OwnRandom(uint32_t seed) : random_(seed) {}

  int below(int count) { return int(random_() % uint32_t(count)); }
  bool chance(int percent) { return below(100) < percent; }
  double between(double low, double high) { return low + (high - low) * (below(100000) + 0.5) / 100000; }
  /// A multiple of 1/16: no rounding as a float or as ticks.
  double exactly(double low, double high) { return low + below(int((high - low) * 16) + 1) / 16.0; }
  Own3 vector(double low, double high) { return {between(low, high), between(low, high), between(low, high)}; }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(int(values.size()))];
  }

 private:
  std::mt19937 random_;
};

struct OwnCurve {
  struct Beyond {
    char mode = 'C';
    int count = -1;  // of repetitions; negative: without end
  };
  FbxKeys keys;               // one attribute for each key
  Beyond before, after;       // the keys
  double weight_unit = 1e-4;  // of the weights of tangents

  double value(double seconds, Side side = Side::kAt) const;
  /// The times at which a key or a repetition of one lies, ascending.
  std::vector<double> breaks(double begin, double end) const;
  /// Whether a repetition begins or ends outside the keys. Where it jumps, the value may be that of either end.
  bool is_seam(double seconds) const;
  /// The longest way along the control points of an interval between keys.
  double longest_way() const;
  /// With the records of extrapolation.
  FbxKeys written() const;
  /// As the list of a take, before version 7.0. Needs keys of random_take_curve().
  std::string written_as_take(int version, OwnRandom& random) const;

 private:
  size_t count() const { return keys.seconds.size(); }
  double duration(size_t i) const { return keys.seconds[i + 1] - keys.seconds[i]; }
  uint32_t flags(size_t i) const { return keys.attributes[i].flags; }
  bool has(size_t i, uint32_t flag) const { return (flags(i) & flag) != 0; }
  bool is_cubic(size_t i) const { return !has(i, kFbxConstant) && has(i, kFbxCubic); }
  bool has_last(size_t i) const { return i > 0 && duration(i - 1) > 0; }
  bool has_next(size_t i) const { return i + 1 < count() && duration(i) > 0; }
  double line(size_t i) const;
  double weight_after(size_t i) const;
  double weight_before(size_t i) const;
  double slope_after(size_t i) const;
  double slope_before(size_t i) const;
  double auto_slope(size_t i, double bias) const;
  double tcb_slope(size_t i, bool is_after) const;
  std::array<double, 4> controls(size_t i) const;
  double in_interval(size_t i, double seconds) const;
  double inside(double seconds, Side side) const;
  double outside(double seconds, Side side) const;
};

/// What random curves may be.
struct CurveRange {
  double low = -10, high = 10;  // of values at keys
  double begin = 0, end = 4;    // of times of keys, which are multiples of 1/16
  double steepest = 40;         // slope that the file gives
  bool is_tame = true;          // no two keys at one time, no bias beyond 100 %, no long tangents
};
OwnCurve random_curve(OwnRandom& random, const CurveRange& range = {});
/// With what takes of a version of keys may say: 4003 to 4005.
OwnCurve random_take_curve(OwnRandom& random, int version);

}  // namespace sinew::test
