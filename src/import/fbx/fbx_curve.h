// An animation curve of an FBX file: one number over time.
#pragma once

#include <cstdint>
#include <vector>

#include "curve_fit.h"
#include "fbx/fbx_record.h"

namespace sinew::internal {

struct FbxKey {
  /// kConstant: the value of the key up to the next key. kConstantNext: that of the next key. kCubic: slopes and
  /// weights.
  enum class Interpolation : uint8_t { kConstant, kConstantNext, kLinear, kCubic };

  double seconds = 0, value = 0;
  Interpolation interpolation = Interpolation::kLinear;    // up to the next key
  double slope_after = 0, slope_before = 0;                // per second; before: at the end of the interval before
  double weight_after = 1.0 / 3, weight_before = 1.0 / 3;  // length of a tangent, as a share of its interval
};

/// What a curve is outside its keys.
struct FbxExtrapolation {
  /// kConstant: the value at the end. kSlope: a line with the slope at the end. kMirror: every second repetition runs
  /// backward. kRepeatWithOffset: each repetition begins where the one before ended.
  enum class Mode : uint8_t { kConstant, kSlope, kRepeat, kMirror, kRepeatWithOffset };
  Mode mode = Mode::kConstant;
  int64_t count = -1;  // of repetitions; negative: without end
};

/// Evaluation remembers where it was: calls with the same curve may not run in parallel.
class FbxCurve {
 public:
  std::vector<FbxKey> keys;  // by time
  FbxExtrapolation before, after;

  /// The value, or `fallback` without keys.
  double value(double seconds, Side side, double fallback) const;
  /// Appends the times between `begin` and `end`, both included, at which a piece of the curve begins or ends.
  void append_breaks(double begin, double end, std::vector<double>& times) const;
  /// An upper bound of how far the value goes up and down in an interval without a break.
  double variation(double begin, double end) const;

 private:
  /// A time outside the keys as one between the first and the last.
  struct Inner {
    double seconds = 0;
    Side side = Side::kAt;
    double rounds = 0;  // of repetitions before this one
  };
  Inner inner(double seconds, Side side) const;
  double inside(double seconds, Side side) const;
  double outside(double seconds, Side side) const;
  size_t interval_at(double seconds, Side side) const;

  mutable size_t last_interval_ = 0;
};

/// Reads the record of a curve, since version 7.0. Keys that are not finite are dropped and counted.
FbxCurve read_fbx_curve(const FbxDocument& document, const FbxRecord& record, double ticks_per_second,
                        uint32_t& dropped_keys);

/// Reads a channel of a take, before version 7.0.
FbxCurve read_fbx_take_curve(const FbxRecord& channel, double ticks_per_second, uint32_t& dropped_keys);

}  // namespace sinew::internal
