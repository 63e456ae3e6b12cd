// A clip: the keys of joints over time, as in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// How a track gets its value between two keys.
enum class Interpolation : uint8_t { kStep, kLinear, kCubic };

/// One animated property of one joint. A track without keys leaves the property at its rest value.
///
/// A cubic track is a Hermite spline with three values per key: in-tangent, value, out-tangent. Tangents are per
/// second. Source: glTF 2.0 specification, appendix C.
template <class Value>
struct Track {
  std::vector<float> times_seconds;  // ascending; of keys with equal times the later one wins
  std::vector<Value> values;         // one per key; three per key if cubic
  Interpolation interpolation = Interpolation::kLinear;
  bool operator==(const Track&) const = default;
};

/// The tracks of one joint, in local space: relative to the parent joint.
struct JointTracks {
  uint32_t joint = 0;
  Track<Vec3> translation;
  Track<Quat> rotation;  // unit length, except the tangents of a cubic track
  Track<Vec3> scale;
  bool operator==(const JointTracks&) const = default;
};

/// The weight of one morph target over time.
struct WeightTrack {
  uint32_t target = 0;  // in Mesh::targets
  Track<float> weight;
  bool operator==(const WeightTrack&) const = default;
};

/// A moment of a clip that has a name, as "left foot down": Player::advance() reports it when it is passed.
struct Marker {
  float time_seconds = 0;  // of the clip's own time, within [start, end]
  std::string name;        // may repeat
  bool operator==(const Marker&) const = default;
};

/// An animation of a skeleton and of morph weights. Times are those of the file: a clip may start after 0. Playback
/// clamps to, or loops over, [start, end].
struct Clip {
  std::string name;
  float start_seconds = 0;                // the first key; FBX: 0
  float end_seconds = 0;                  // the last key; FBX: the duration of the animation stack
  std::vector<JointTracks> tracks;        // ascending by joint, at most one per joint
  bool additive = false;                  // the tracks hold differences, see make_additive()
  std::vector<WeightTrack> weights = {};  // ascending by morph target, at most one per target
  std::vector<Marker> markers = {};       // ascending by time; of a loop, its start and its end are two moments

  float duration_seconds() const { return end_seconds - start_seconds; }
  bool operator==(const Clip&) const = default;
};

/// Sets start and end to the first and the last key of all tracks. Both become 0 if there are no keys.
SINEW_API void set_time_range(Clip& clip);

/// The index of the first clip with that name. If no name matches: the number that `name_or_index` spells, if there is
/// such a clip. Else nothing.
SINEW_API std::optional<uint32_t> find_clip(std::span<const Clip> clips, std::string_view name_or_index);

/// Checks that tracks ascend by joint or morph target, that joints are below `joint_count` and targets below
/// `target_count`, that times ascend, start is not after end, every value is finite and rotations have unit length.
/// Translations, scales, weights and their tangents are within kMaxCoordinate, except those of additive clips. Times of
/// markers are finite, ascend and lie within the clip. Errors: kInvalidData with the clip's name and the joint's or the
/// marker's number, kOutOfMemory.
SINEW_API Status validate(const Clip& clip, uint32_t joint_count, uint32_t target_count = 0);

}  // namespace sinew
