// Root motion: how far a clip carries its character over the ground, taken out of the clip on request.
//
// The ground is the plane across the character's up axis. A motion is what a joint (hips, or a root made for it) does
// there: a way and a turn about the up axis; what it does up and down, and tilting, stays in the pose.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// A step over the ground, in model space as the character stood and faced before: first the way, then the turn.
struct GroundMotion {
  Vec3 translation;            // across the up axis, model units
  double heading_radians = 0;  // about the up axis, counter-clockwise seen from above
};

/// Where a joint stands over the ground in the course of a clip, from where it stood at the start.
struct RootTrack {
  Vec3 up{0, 1, 0};
  float start_seconds = 0, end_seconds = 0;  // of the clip
  std::vector<GroundMotion> motions;         // at uniform times, the last at the end
};

/// A clip that stays in place, and the way it would have gone.
struct ExtractedMotion {
  Clip clip;  // as before, but for the joint's translation and rotation
  RootTrack track;
};

/// Takes the motion of `joint` out of a clip: playing `clip` of the result while moving the instance by
/// motion_between() looks as the clip did. Refuses a clip or joint that is not there, an additive clip, and what does
/// not fit together.
Result<ExtractedMotion> extract_root_motion(const Character& character, uint32_t clip, uint32_t joint);

/// The motion from one time of playback to another (seconds from the clip's start, as clip_time() takes them), through
/// any number of loops, also backward. None where a time is not finite.
GroundMotion motion_between(const RootTrack& track, double from_seconds, double to_seconds, Looping looping);

/// What `first` and then `second` come to.
GroundMotion compose(const RootTrack& track, const GroundMotion& first, const GroundMotion& second);

/// The motion as a matrix about the model's origin: world_from_model * to_matrix(track, motion) moves an instance on.
Matrix3x4d to_matrix(const RootTrack& track, const GroundMotion& motion);

}  // namespace sinew
