// How far the poses of a clip have come since its start, in any measure of how far two poses are apart.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/math.h"

namespace sinew::app {

/// The sum over time of how far each sample is from the one before: two moments are no further apart than that differs,
/// within what sampling can tell.
struct ClipPath {
  float start_seconds = 0, step_seconds = 0;
  std::vector<float> lengths;  // at each step; ascending from 0
  float leap = 0;              // from the end back to the start

  float at(float time_seconds) const;
  float time_of(float length) const;
  float end_seconds() const { return start_seconds + step_seconds * float(lengths.size() - 1); }

  /// How far two moments are apart at most, straight or past the end.
  float between(float a_seconds, float b_seconds) const;
};

/// How far apart two palettes are.
using PoseDistance = std::function<float(std::span<const Matrix3x4>, std::span<const Matrix3x4>)>;

/// Measured of the exact poses, some hundred times a second. `distance` is called with each two that follow each other,
/// and with the last and the first.
ClipPath measure_path(const Character& character, uint32_t clip, const PoseDistance& distance);

}  // namespace sinew::app
