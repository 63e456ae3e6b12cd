// Picking in a crowd: what a ray hits, which instances are near a path, where a joint is. The same as
// sinew/runtime/pick.h. World space is that of SinewInstances::world_from_model. Call these between two updates, with
// the instances of the last one.
#pragma once

#include "sinew/c/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a ray hits an instance.
typedef struct SinewPickHit {
  uint32_t size;
  uint32_t hit;              // 1; 0: the ray hits nothing, and the rest is 0
  uint32_t instance;         // of the host's arrays
  uint32_t model, level;     // the mesh that is drawn
  uint32_t triangle;         // of this mesh: its first index is 3 * triangle
  int32_t joint;             // of the character: it moves the hit point most; -1: no joint moves it
  float barycentrics[3];     // the weights of the triangle's vertices, which add to 1
  float point[3], distance;  // world space
  uint32_t wearable;         // that has the mesh; UINT32_MAX: the body
} SinewPickHit;

/// The nearest triangle that the ray hits, in the pose that is drawn since the last update; what is not drawn is not
/// hit. `origin` and `direction` have three numbers; the direction has any length above 0. `max_distance` must not be
/// negative; 0: no limit.
/// Errors: INVALID_ARGUMENT (no frame is updated; a ray that is not finite or has no direction; a negative distance;
/// not the instances of the last update), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_pick(const SinewSkinnedCrowd* crowd, const SinewInstances* instances,
                                                 const float* origin, const float* direction, float max_distance,
                                                 SinewPickHit* out, SinewError* error);

/// The instances whose sphere is within `radius` of the way between two points, drawn or not. Writes the first `room`
/// of them to `out`, ascending, and to `count` how many there are. `radius` must not be negative. Errors:
/// INVALID_ARGUMENT (no frame is updated; points that are not finite, a radius that is negative or NaN), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_instances_near(const SinewSkinnedCrowd* crowd,
                                                           const SinewInstances* instances, const float* from,
                                                           const float* to, float radius, uint32_t* out, uint32_t room,
                                                           uint32_t* count, SinewError* error);

/// Writes world_from_joint of any joint of the character: of a drawn instance in the pose as drawn, of another one as
/// it plays at the time of the last update. Errors: INVALID_ARGUMENT (no frame is updated; no such `instance`, no such
/// `joint`), UNSUPPORTED (a host-posed instance that is not drawn, or whose joint moves no vertex), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_joint_transform(const SinewSkinnedCrowd* crowd,
                                                            const SinewInstances* instances, uint32_t instance,
                                                            uint32_t joint, SinewMatrix3x4* out, SinewError* error);

#ifdef __cplusplus
}
#endif
