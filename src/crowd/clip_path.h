// The path length of a clip: how far its poses have moved since its start. Works with any distance between two poses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace sinew::crowd::internal {

/// Path length over time: the sum of the distances from each sample to the next. The poses at two times are no further
/// apart than the difference of their path lengths, as far as the samples can tell.
struct ClipPath {
  std::vector<float> times;     // seconds, of the samples, ascending; the first and the last are the clip's ends
  std::vector<double> lengths;  // path length at each sample, in the unit of the distance; ascending from 0
  float loop_distance = 0;      // distance from the end pose back to the start pose
  // Equal parts of the duration, as many as there are intervals between samples: the first sample after the middle of
  // each. Most samples are evenly spaced, so that a time is found at once.
  std::vector<uint32_t> cells = {};
  float cells_per_second = 0;
  float max_speed = 0;  // of the path length per second, between any two samples; rounded up

  bool empty() const { return times.empty(); }
  double length() const { return lengths.back(); }
  float start_seconds() const { return times.front(); }
  float end_seconds() const { return times.back(); }

  double at(float time_seconds) const;  // path length; times outside the clip are clamped
  float time_of(double length) const;   // inverse of at(); clamped to the clip

  /// Upper bound of the distance between the poses at two path lengths or times, the shorter way: directly or across
  /// the loop point.
  float apart(double a_length, double b_length) const;
  float between(float a_seconds, float b_seconds) const { return apart(at(a_seconds), at(b_seconds)); }
  bool operator==(const ClipPath&) const = default;
};

/// The cells lead to the samples around a time without a search.
inline double ClipPath::at(float time_seconds) const {
  if (time_seconds < times.front()) return 0;
  if (!(time_seconds < times.back())) return length();
  const auto cell = size_t((time_seconds - times.front()) * cells_per_second);
  size_t after = cells[std::min(cell, cells.size() - 1)];
  while (times[after] <= time_seconds) ++after;
  while (times[after - 1] > time_seconds) --after;
  const size_t before = after - 1;
  const double share = (double(time_seconds) - times[before]) / (double(times[after]) - times[before]);
  return lengths[before] + (lengths[after] - lengths[before]) * share;
}

inline float ClipPath::apart(double a_length, double b_length) const {
  const double straight = std::abs(b_length - a_length);
  return float(std::min(straight, length() - straight + loop_distance));
}

/// The times in seconds at which a clip's poses are sampled: about 120 per second, but at most 64 between two keys,
/// where motion is smooth, and at least about 8 per clip. A discontinuity has one sample before it and one after it.
std::vector<float> path_times(const Clip& clip);

/// The same for a clip of a character: fewer times, evenly left out, where the samples of all clips of that length and
/// the joints and morph targets of the character would make more than 67 million poses of joints. Both ends stay.
std::vector<float> path_times(const Character& character, uint32_t clip);

/// What a pose gives the vertices.
struct ExactPose {
  std::vector<Matrix3x4> palette;
  std::vector<float> weights;  // of morph targets
};

/// The distance between two poses of a character, in any unit.
using PoseDistance = std::function<float(const ExactPose&, const ExactPose&)>;

/// Measures paths of a clip on its exact poses at path_times(), one for each distance: a pose is evaluated once for all
/// of them. Calls each distance for each two consecutive samples, and at the end for the last and the first. Allocates;
/// costs one exact evaluation per sample.
std::vector<ClipPath> measure_paths(const Character& character, uint32_t clip, std::span<const PoseDistance> distances);

}  // namespace sinew::crowd::internal
