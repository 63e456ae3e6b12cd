// Root motion: how a clip moves its character over the ground. It is taken out of the clip, so that the host can move
// the instance instead.
//
// The ground is the plane perpendicular to the character's up axis. The motion is that of one joint (hips, or a root
// joint): a translation in the ground and a rotation about the up axis. Height and tilt stay in the pose.
#pragma once

#include "sinew/c/animation.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A motion over the ground, relative to the character's position and heading before it: the origin of model space
/// moves by the translation, then the character turns about that origin. The element of an array.
typedef struct SinewGroundMotion {
  float translation[3];    // in the ground, in model space and model units
  double heading_radians;  // about the up axis, counter-clockwise seen from above
} SinewGroundMotion;

/// An affine matrix in double precision: m[row][3] is the translation. 96 bytes.
typedef struct SinewMatrix3x4d {
  double m[3][4];
} SinewMatrix3x4d;

/// The motion of one clip, from its start to each time. It needs its character no longer.
typedef struct SinewRootTrack SinewRootTrack;

/// What a root track holds. `motions` is valid until the track is destroyed.
typedef struct SinewRootTrackInfo {
  uint32_t size;
  uint32_t motion_count;
  float up[3];                       // unit length
  float start_seconds, end_seconds;  // of the clip
  const SinewGroundMotion* motions;  // [motion_count] at equal time steps, from the start of the clip to its end
} SinewRootTrackInfo;

/// Takes the motion of a joint out of a clip of the character: the clip then stays in place. An instance that plays it
/// and is moved by sinew_root_track_motion_between() looks like one that plays the clip as it was. A bake is dropped:
/// call it after sinew_character_to_meters() and before sinew_character_bake(). A `.sinew` file has no root tracks.
/// Cost: 120 exact poses per second of the clip. Errors, with the character unchanged: INVALID_ARGUMENT (no such
/// `clip`, no such `joint`; clip additive or longer than 9.7 hours; an evaluator or a planner uses the character),
/// INVALID_DATA, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_extract_root_motion(SinewCharacter* character, uint32_t clip, uint32_t joint,
                                                            SinewRootTrack** out, SinewError* error);

/// Destroys a root track. NULL is ignored.
SINEW_C_API void sinew_root_track_destroy(SinewRootTrack* track);

/// What it holds.
SINEW_C_API SinewResult sinew_root_track_info(const SinewRootTrack* track, SinewRootTrackInfo* out, SinewError* error);

/// The motion from one playback time to another, both in seconds from the clip's start as for
/// sinew_character_clip_time(), through any number of loops, also backward. No motion if a time is not finite.
/// `looping` is one of SINEW_LOOP, SINEW_CLAMP and SINEW_PING_PONG. Error: INVALID_ARGUMENT (looping).
SINEW_C_API SinewResult sinew_root_track_motion_between(const SinewRootTrack* track, double from_seconds,
                                                        double to_seconds, uint32_t looping, SinewGroundMotion* out,
                                                        SinewError* error);

/// The motion of `first` followed by `second`. `out` may be one of them.
SINEW_C_API SinewResult sinew_root_track_compose(const SinewRootTrack* track, const SinewGroundMotion* first,
                                                 const SinewGroundMotion* second, SinewGroundMotion* out,
                                                 SinewError* error);

/// The motion as a matrix in model space: world_from_model times this matrix is the moved instance.
SINEW_C_API SinewResult sinew_root_track_to_matrix(const SinewRootTrack* track, const SinewGroundMotion* motion,
                                                   SinewMatrix3x4d* out, SinewError* error);

#ifdef __cplusplus
}
#endif
