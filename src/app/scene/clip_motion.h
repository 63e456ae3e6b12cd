// What is measured of the poses of a clip: how it moves its character over the ground, and where it sits.
#pragma once

#include <optional>

#include "scene/model.h"

namespace sinew::app {

/// How a clip of Character::clips moves its character over the ground, measured from the vertices that touch the
/// ground. Empty for a clip that does not walk. Poses are those of the exact evaluator: costs some tens of
/// milliseconds.
std::optional<ClipMotion> measure_clip_motion(const Model& model, uint32_t clip);

/// A clip that walks.
struct WalkingClip {
  uint32_t clip = 0;  // in Character::clips
  ClipMotion motion;
};

/// The clip of Model::clips whose speed is nearest to `meters_per_second`, which is that of a person. Clips that walk
/// backward or to the side are chosen only where there is no other. Empty: no clip walks.
std::optional<WalkingClip> find_walking_clip(const Model& model, float meters_per_second);

/// What a clip moves its character by.
struct MovedRoot {
  uint32_t joint = 0;
  float distance = 0;  // over the ground, from the first key to the farthest, in model units
};

/// The joint whose motion is a clip's root motion: the first that at least half of the palette follows and that the
/// clip moves over the ground by 5 % of the skeleton's size; else joint 0, which moves by 0. `clip` is an index in
/// Character::clips. Reads keys, no poses.
MovedRoot find_moved_root(const Character& character, uint32_t clip);

/// Where a seated clip sits. In meters, of an instance of scale 1 that looks along z.
struct Seat {
  float height = 0;  // of the seat above the feet
  float feet = 0;    // y of the lowest point of the feet
  float middle = 0;  // z of the body above it
};

/// Measured in the first frame of a clip. Empty for a clip that does not sit.
std::optional<Seat> measure_seat(const Model& model, uint32_t clip);

}  // namespace sinew::app
