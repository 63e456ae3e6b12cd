// What text formats of one key a frame are written from: a character's joints at rest and at the frames of a clip.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/asset/character.h"

namespace sinew::test {

constexpr int kFramesPerSecond = 30;

/// Local transforms at every frame of a clip that starts at 0.
inline std::vector<std::vector<Transform>> sample_frames(const Character& character, const Clip& clip) {
  std::vector<std::vector<Transform>> frames;
  const int last = int(std::lround(clip.end_seconds * kFramesPerSecond));
  for (int frame = 0; frame <= last; ++frame) {
    frames.push_back(character.skeleton.rest_pose);
    sample_clip(clip, character.skeleton, float(frame) / kFramesPerSecond, frames.back());
  }
  return frames;
}

/// Model from joint, at rest.
inline std::vector<Matrix3x4d> rest_joints(const Character& character) {
  std::vector<Matrix3x4d> joints(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, joints);
  return joints;
}

/// Text that keeps a float. It has a point: before a comma Assimp takes the comma for one.
inline std::string text(float value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%#.9g", double(value));
  return digits;
}

}  // namespace sinew::test
