// Tracks for functions of time: keys at the breaks of a function, and as many between as keep the track near it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "sinew/asset/clip.h"

namespace sinew::internal {

/// From which side a time is looked at, where a value jumps: just before it, at it, or just after it.
enum class Side : uint8_t { kBefore, kAt, kAfter };

/// A function of time, to be written as a track. Numbers that a value does not have are 0.
struct FitCurve {
  enum class Kind : uint8_t { kScalar, kVector, kRotation };  // 1, 3 or 4 numbers: a rotation is a unit quaternion

  Kind kind = Kind::kVector;
  std::function<std::array<double, 4>(double seconds, Side side)> value;
  /// The times between which the function is smooth, ascending: at least the begin and the end.
  std::span<const double> breaks;
  /// The time that becomes 0 in the track.
  double start_seconds = 0;
  /// How far the track may be from the function: in the unit of the value; of a rotation in radians.
  double tolerance = 0;
  /// For a rotation: an upper bound of how far it turns between two times, in degrees. May be empty.
  std::function<double(double begin, double end)> turned_degrees;
  /// The number of keys at which no more are added between breaks: the track may then not be within the tolerance.
  size_t max_keys = size_t(1) << 16;
};

/// The track of a scalar, a vector or a rotation. Has one key if the function never changes. Uses steps where all of it
/// is steps, else lines or cubic splines, whichever takes less memory.
Track<float> fit_scalar(const FitCurve& curve);
Track<Vec3> fit_vector(const FitCurve& curve);
Track<Quat> fit_rotation(const FitCurve& curve);

/// The parameter at which a cubic with the controls 0, x1, x2, 1 is `x`: all are 0 to 1. Newton's method, kept inside
/// by bisection.
double cubic_parameter(double x1, double x2, double x);

/// Sorts times, and removes those that are equal.
void sort_breaks(std::vector<double>& times);

}  // namespace sinew::internal
