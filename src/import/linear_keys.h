// Evaluation of tracks as Assimp's formats mean them: linear interpolation, for rotations slerp on the shorter arc.
#pragma once

#include <algorithm>

#include "sinew/asset/clip.h"

namespace sinew::internal {

inline float mix(float a, float b, float share) { return a + (b - a) * share; }
inline Vec3 mix(Vec3 a, Vec3 b, float share) { return a + (b - a) * share; }
Quat mix(Quat a, Quat b, float share);

/// The value of a track at `time`, in seconds: clamped to the first and the last key, `rest` if there are no keys. The
/// keys' times must ascend.
template <class Value>
Value value_at(const Track<Value>& track, float time, const Value& rest) {
  if (track.values.empty()) return rest;
  const auto after = std::upper_bound(track.times_seconds.begin(), track.times_seconds.end(), time);
  const size_t next = size_t(after - track.times_seconds.begin());
  if (next == 0) return track.values.front();
  if (next == track.values.size()) return track.values.back();
  const float from = track.times_seconds[next - 1], to = track.times_seconds[next];
  return mix(track.values[next - 1], track.values[next], (time - from) / (to - from));
}

}  // namespace sinew::internal
