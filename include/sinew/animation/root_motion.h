// Root motion: how a clip moves its character over the ground. It is taken out of the clip, so that the host can move
// the instance instead.
//
// The ground is the plane perpendicular to the character's up axis. The motion is that of one joint (hips, or a root
// joint): a translation in the ground and a rotation about the up axis. Height and tilt stay in the pose. All calls may
// run in parallel.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// A motion over the ground, relative to the character's position and heading before it: the origin of model space
/// moves by the translation, then the character turns about that origin.
struct GroundMotion {
  Vec3 translation;            // in the ground, in model space and model units
  double heading_radians = 0;  // about the up axis, counter-clockwise seen from above
};

/// The motion from the start of a clip to each time, in model space.
struct RootTrack {
  Vec3 up{0, 1, 0};                          // unit length
  float start_seconds = 0, end_seconds = 0;  // of the clip
  std::vector<GroundMotion> motions;         // at equal time steps, the first at the start, the last at the end
};

/// A clip that stays in place, and the motion that was taken out of it.
struct ExtractedMotion {
  Clip clip;  // as before, except new translation and rotation keys of the joint, 120 per second
  RootTrack track;
};

/// Takes the motion of `joint` out of a clip. An instance that plays ExtractedMotion::clip and is moved by
/// motion_between() looks like one that plays the original. `clip` is an index in Character::clips. Cost: 120 exact
/// poses of the joint and those above it per second of the clip; allocates. Errors: kInvalidArgument (clip or joint out
/// of range, clip additive, longer than 9.7 hours or of more than 16.8 million poses of joints), kInvalidData (skeleton
/// or clip not valid), kOutOfMemory.
SINEW_API Result<ExtractedMotion> extract_root_motion(const Character& character, uint32_t clip, uint32_t joint);

/// The motion from one playback time to another, both in seconds from the clip's start as for clip_time(), through any
/// number of loops, also backward. No motion if a time or the number of loops is not finite, or the track is empty.
/// Allocates nothing.
SINEW_API GroundMotion motion_between(const RootTrack& track, double from_seconds, double to_seconds, Looping looping);

/// The motion of `first` followed by `second`. `track` gives the up axis.
SINEW_API GroundMotion compose(const RootTrack& track, const GroundMotion& first, const GroundMotion& second);

/// The motion as a matrix in model space: `world_from_model * to_matrix(track, motion)` is the moved instance.
SINEW_API Matrix3x4d to_matrix(const RootTrack& track, const GroundMotion& motion);

}  // namespace sinew
