#include "sinew/asset/clip.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "error.h"
#include "exceptions.h"
#include "sinew/asset/mesh.h"

namespace sinew {

using namespace internal;
namespace {

/// Calls `visit(track)` for the three tracks of `joint`. Stops and returns false after a call that returns false.
template <class Visit>
bool for_each_track(const JointTracks& joint, Visit visit) {
  return visit(joint.translation) && visit(joint.rotation) && visit(joint.scale);
}

bool is_finite_value(float value) { return std::isfinite(value); }
template <class Value>
bool is_finite_value(const Value& value) {
  return is_finite(value);
}

bool is_small(float value) { return std::abs(value) <= kMaxCoordinate; }
bool is_small(Vec3 value) { return is_within(value, kMaxCoordinate); }
bool is_small(Quat) { return true; }  // of unit length, but for tangents

template <class Value>
bool track_is_small(const Track<Value>& track) {
  return std::all_of(track.values.begin(), track.values.end(), [](const Value& value) { return is_small(value); });
}

template <class Value>
bool track_is_valid(const Track<Value>& track) {
  const size_t values_per_key = track.interpolation == Interpolation::kCubic ? 3 : 1;
  return track.values.size() == track.times_seconds.size() * values_per_key &&
         std::ranges::all_of(track.times_seconds, [](float t) { return std::isfinite(t); }) &&
         std::is_sorted(track.times_seconds.begin(), track.times_seconds.end()) &&
         std::all_of(track.values.begin(), track.values.end(), [](const Value& v) { return is_finite_value(v); });
}

bool rotations_are_unit(const Track<Quat>& track) {
  const bool cubic = track.interpolation == Interpolation::kCubic;
  for (size_t i = cubic ? 1 : 0; i < track.values.size(); i += cubic ? 3 : 1) {
    if (std::abs(dot(track.values[i], track.values[i]) - 1) > 1e-4f) return false;
  }
  return true;
}

Status validate_weights(const Clip& clip, uint32_t target_count) {
  int64_t previous = -1;
  for (const WeightTrack& track : clip.weights) {
    const auto refuse = [&](const char* what) {
      return invalid("clip '" + clip.name + "': the track of morph target " + std::to_string(track.target) + " " +
                     what);
    };
    if (track.target >= target_count) return refuse("is outside the mesh");
    if (int64_t(track.target) <= previous) return refuse("does not ascend");
    if (!track_is_valid(track.weight)) return refuse("has keys that do not ascend, are not finite or lack values");
    if (!clip.additive && !track_is_small(track.weight)) return refuse("has a key above 1e9");
    previous = track.target;
  }
  return {};
}

Status validate_markers(const Clip& clip) {
  float previous = clip.start_seconds;
  for (size_t i = 0; i < clip.markers.size(); ++i) {
    const float time = clip.markers[i].time_seconds;
    const auto refuse = [&](const char* what) {
      return invalid("clip '" + clip.name + "': marker " + std::to_string(i) + " '" + clip.markers[i].name + "' " +
                     what);
    };
    if (!std::isfinite(time)) return refuse("has a time that is not finite");
    if (time < clip.start_seconds || time > clip.end_seconds) return refuse("is outside the clip");
    if (time < previous) return refuse("is earlier than the one before it");
    previous = time;
  }
  return {};
}

}  // namespace

void set_time_range(Clip& clip) {
  bool found = false;
  const auto include = [&](const auto& track) {
    if (track.times_seconds.empty()) return true;
    const float first = track.times_seconds.front(), last = track.times_seconds.back();
    clip.start_seconds = found ? std::min(clip.start_seconds, first) : first;
    clip.end_seconds = found ? std::max(clip.end_seconds, last) : last;
    found = true;
    return true;
  };
  clip.start_seconds = clip.end_seconds = 0;
  for (const JointTracks& joint : clip.tracks) for_each_track(joint, include);
  for (const WeightTrack& track : clip.weights) include(track.weight);
}

std::optional<uint32_t> find_clip(std::span<const Clip> clips, std::string_view name_or_index) {
  for (uint32_t i = 0; i < clips.size(); ++i) {
    if (clips[i].name == name_or_index) return i;
  }
  uint32_t index = 0;
  const char* end = name_or_index.data() + name_or_index.size();
  const auto [parsed, error] = std::from_chars(name_or_index.data(), end, index);
  if (error != std::errc() || parsed != end || index >= clips.size()) return std::nullopt;
  return index;
}

Status validate(const Clip& clip, uint32_t joint_count, uint32_t target_count) SINEW_TRY {
  if (!std::isfinite(clip.start_seconds) || !std::isfinite(clip.end_seconds) || clip.duration_seconds() < 0) {
    return invalid("clip '" + clip.name + "': its start and end are not in order");
  }
  int64_t previous = -1;
  for (const JointTracks& joint : clip.tracks) {
    const auto refuse = [&](const char* what) {
      return invalid("clip '" + clip.name + "': the tracks of joint " + std::to_string(joint.joint) + " " + what);
    };
    if (joint.joint >= joint_count) return refuse("are outside the skeleton");
    if (int64_t(joint.joint) <= previous) return refuse("do not ascend");
    if (!for_each_track(joint, [](const auto& track) { return track_is_valid(track); })) {
      return refuse("have keys that do not ascend, are not finite or lack values");
    }
    if (!clip.additive && !for_each_track(joint, [](const auto& track) { return track_is_small(track); })) {
      return refuse("have a key above 1e9 units");
    }
    if (!rotations_are_unit(joint.rotation)) return refuse("have rotations that are not of unit length");
    previous = joint.joint;
  }
  if (Status status = validate_weights(clip, target_count); !status) return status;
  return validate_markers(clip);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
