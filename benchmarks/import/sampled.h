// Input of the writers of formats with one key per frame: a character's joints in the rest pose and at each frame.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/asset/character.h"

namespace sinew::test {

constexpr int kFramesPerSecond = 30;

/// Local transforms of every joint at each frame of a clip that starts at 0: [frame][joint].
inline std::vector<std::vector<Transform>> sample_frames(const Character& character, const Clip& clip) {
  std::vector<std::vector<Transform>> frames;
  const int last = int(std::lround(clip.end_seconds * kFramesPerSecond));
  for (int frame = 0; frame <= last; ++frame) {
    frames.push_back(character.skeleton.rest_pose);
    sample_clip(clip, character.skeleton, float(frame) / kFramesPerSecond, frames.back());
  }
  return frames;
}

/// model_from_joint of every joint in the rest pose.
inline std::vector<Matrix3x4d> rest_joints(const Character& character) {
  std::vector<Matrix3x4d> joints(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, joints);
  return joints;
}

/// The float as text, without loss. The text has a decimal point: otherwise Assimp reads a comma behind it as one.
inline std::string text(float value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%#.9g", double(value));
  return digits;
}

}  // namespace sinew::test
