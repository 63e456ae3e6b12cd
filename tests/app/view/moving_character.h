// A character that walks a curve: its hips move over the ground and turn.
#pragma once

#include "animation/rig.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"

namespace sinew::app {

/// Joints: root, hips, spine and head in a chain, and a foot below the hips. Clips, from 1 s to 2 s: "Walk" moves the
/// hips 2 m and turns them, "Idle" moves the spine only, "Slide" moves the root 1 m along x, "Nod" moves the head.
Character make_moving_character();

/// A joint in model space in a playback without masks.
Matrix3x4d model_from_joint(const Character& character, const Playback& playback, uint32_t joint);

/// The same in one clip.
inline Matrix3x4d model_from_joint(const Character& character, uint32_t clip, float seconds, uint32_t joint) {
  return sinew::test::joints_at(character, character.clips[clip], seconds)[joint];
}

}  // namespace sinew::app
