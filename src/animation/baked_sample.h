// Sampling a bake one instance at a time: the plain version of the crowd's kernel, and what a bake measures itself
// with.
#pragma once

#include <algorithm>
#include <span>

#include "joint_delta.h"
#include "sinew/animation/bake.h"

namespace sinew {

/// The whole way from a frame to the next, as a fixed-point share; 16 bits get no nearer than one less.
inline constexpr int kShareOne = 32768;

/// Two neighboring frames and how far between them, as the kernel uses it.
struct FramePosition {
  uint32_t frame = 0;  // of BakedCharacter::frames; the next one is read too
  int16_t share = 0;   // of kShareOne, towards the next
};

/// Any time gives frames of the clip, also one that is not a number.
inline FramePosition frame_position(const BakedClip& clip, float time_seconds) {
  const double last = clip.frame_count - 1;
  double position = (double(time_seconds) - clip.start_seconds) * clip.frames_per_second;
  position = position > 0 ? (position < last ? position : last) : 0;
  uint32_t frame = uint32_t(position);
  if (frame + 2 > clip.frame_count) frame = clip.frame_count - 2;
  return {clip.first_frame + frame, int16_t(std::min((position - frame) * kShareOne + 0.5, kShareOne - 1.0))};
}

/// One number between two frames, rounded as the kernel's fixed-point multiply does. A bake leaves no difference that
/// takes more than 16 bits.
inline int16_t between(int16_t a, int16_t b, int16_t share) {
  const int32_t difference = int16_t(b - a);
  return int16_t(a + ((difference * share + kShareOne / 2) >> 15));
}

/// The delta of every node of the walk.
void sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds, std::span<JointDelta> deltas);

}  // namespace sinew
