// A clip: keyframes of joints over time, as the file has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

enum class Interpolation : uint8_t { kStep, kLinear, kCubic };

/// One animated property of one joint. No keys: the property keeps its rest value.
///
/// Cubic tracks hold three values a key (in-tangent, value, out-tangent) and are Hermite splines with tangents per
/// second, as in the glTF 2.0 specification, appendix C.
template <class Value>
struct Track {
  std::vector<float> times_seconds;  // ascending; where times are equal the later key wins
  std::vector<Value> values;         // one a key, or three where cubic
  Interpolation interpolation = Interpolation::kLinear;
};

/// All tracks of one joint, in local space.
struct JointTracks {
  uint32_t joint = 0;
  Track<Vec3> translation;
  Track<Quat> rotation;  // unit length, save for the tangents of a cubic track
  Track<Vec3> scale;
};

/// Time is the file's own: a clip may start after 0. Playback clamps to, or loops over, [start, end].
struct Clip {
  std::string name;
  float start_seconds = 0;          // the earliest key; FBX: 0
  float end_seconds = 0;            // the latest key; FBX: the duration of the animation stack
  std::vector<JointTracks> tracks;  // by ascending joint, each joint at most once
  bool additive = false;            // the tracks are differences, as make_additive() has them

  float duration_seconds() const { return end_seconds - start_seconds; }
};

/// Sets start and end from the keys. Both are 0 where there are none.
void set_time_range(Clip& clip);

/// The clip named `name_or_index`, or with that index where no name matches.
std::optional<uint32_t> find_clip(std::span<const Clip> clips, std::string_view name_or_index);

/// Tracks ascend by joint and name joints below `joint_count`; times ascend; every number is finite.
Status validate(const Clip& clip, uint32_t joint_count);

}  // namespace sinew
