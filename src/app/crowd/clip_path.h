// How far the poses of a clip have come since its start, in any measure of how far two poses are apart.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace sinew::app {

/// The sum over time of how far each sample is from the one before: two moments are no further apart than that differs,
/// within what sampling can tell.
struct ClipPath {
  std::vector<float> times;     // of the samples, ascending; the first and the last are the clip's ends
  std::vector<double> lengths;  // at each; ascending from 0
  float leap = 0;               // from the end back to the start

  bool empty() const { return times.empty(); }
  double length() const { return lengths.back(); }
  float start_seconds() const { return times.front(); }
  float end_seconds() const { return times.back(); }

  double at(float time_seconds) const;
  float time_of(double length) const;

  /// How far two moments are apart at most, straight or past the end.
  float between(float a_seconds, float b_seconds) const;
};

/// The times that a clip's poses are looked at, whatever its length: some hundred a second, but between two keys, where
/// it moves evenly, no more than 64. Where it jumps, once before and once after.
std::vector<float> path_times(const Clip& clip);

/// How far apart two palettes are.
using PoseDistance = std::function<float(std::span<const Matrix3x4>, std::span<const Matrix3x4>)>;

/// Measured of the exact poses at path_times(). `distance` is called with each two that follow each other, and with the
/// last and the first.
ClipPath measure_path(const Character& character, uint32_t clip, const PoseDistance& distance);

}  // namespace sinew::app
