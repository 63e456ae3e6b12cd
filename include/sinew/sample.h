// Stage one: a clip at a time becomes a local pose.
//
// Part of the exact evaluator: one instance, the source keys as the file has them. It is the oracle of every test.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/clip.h"
#include "sinew/skeleton.h"

namespace sinew {

enum class Looping : uint8_t { kClamp, kLoop, kPingPong };

/// The clip's time after `seconds` of playback from its start; `seconds` may be negative, as with negative speed.
/// A clip of no duration gives its start, as does a time that is not finite.
float clip_time(const Clip& clip, double seconds, Looping looping);

enum class RotationBlend : uint8_t { kSlerp, kNlerp };

/// Writes the local pose of every joint at `time_seconds` of the clip's own time, held at the clip's ends.
///
/// `pose` holds joint_count transforms, each relative to the parent; what no track animates keeps the rest pose, or of
/// an additive clip no difference.
/// Rotations take the shorter arc and are of unit length. `clip` and `skeleton` must be valid for each other.
/// Calls may run in parallel on different outputs.
void sample_clip(const Clip& clip, const Skeleton& skeleton, float time_seconds, std::span<Transform> pose,
                 RotationBlend rotation_blend = RotationBlend::kSlerp);

}  // namespace sinew
