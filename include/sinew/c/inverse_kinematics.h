// Inverse kinematics: chains of joints that reach for a target or aim at it, on top of what instances of a crowd play.
// The C++ header sinew/animation/inverse_kinematics.h says what they do, and docs/inverse_kinematics.md how they are
// used.
#pragma once

#include "sinew/c/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of chains: two bones of three joints, such as thigh, shin and foot; or joints that aim, such as neck and
/// head.
enum { SINEW_CHAIN_TWO_BONE = 0, SINEW_CHAIN_AIM = 1 };

/// What becomes of the orientation of the end of two bones: it turns with the chain; it is kept; it is kept, then
/// turned to SinewChainTarget::normal.
enum { SINEW_END_FOLLOWS = 0, SINEW_END_KEPT = 1, SINEW_END_ALIGNED = 2 };

enum { SINEW_MAX_CHAINS = 32, SINEW_MAX_AIM_JOINTS = 8 };

/// A chain. The element of an array. Zeros in what the kind does not use.
typedef struct SinewChain {
  const char* name;      // for messages; may be null
  uint32_t kind;         // SINEW_CHAIN_...
  uint32_t joint_count;  // two bones: 3; aim: 1 to SINEW_MAX_AIM_JOINTS
  uint32_t joints[8];    // each below the one before
  float shares[8];       // aim: finite, above 0; of each joint
  float direction[3];    // finite; two bones: the pole, in the space of the first joint; aim: the axis, in that of the
                         // last one
  float offset[3];       // aim: finite; where the axis begins
  float up[3];           // aim: finite; what is turned upwards; zeros: nothing
  uint32_t end_orientation;  // two bones: SINEW_END_...
  float reach, soft;         // two bones; 0: 1 and 0.02
  float max_angle;           // aim: finite, above 0; radians; 0: 1.4
  float fade_distance;       // aim: finite, not negative; model units
} SinewChain;

/// Where a chain of one instance shall be. The element of an array, ascending by instance.
typedef struct SinewChainTarget {
  uint32_t instance, chain;
  float position[3];  // model space
  float weight;       // from 0 to 1
  float normal[3];    // SINEW_END_ALIGNED: of the ground, in model space; zeros: up
} SinewChainTarget;

/// Finds the chains of a humanoid by the names of its joints: "left leg", "right leg", "left arm", "right arm", "head",
/// those that there are. `*count` is the room in `out`, of which 5 is enough, and becomes their number; `out` may be
/// NULL: only the number is set. Names live as long as the process. Errors: INVALID_ARGUMENT (too little room),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_find_chains(const SinewCharacter* character, SinewChain* out, uint32_t* count,
                                                    SinewError* error);

#ifdef __cplusplus
}
#endif
