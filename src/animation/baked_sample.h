// Samples a bake, one instance at a time: the reference for the evaluator's lane code. bake() measures its own error
// with it.
#pragma once

#include <algorithm>
#include <span>

#include "joint_delta.h"
#include "sinew/animation/bake.h"

namespace sinew::internal {

/// The fixed-point share of a whole frame interval. A share has 16 bits, so it is at most kShareOne - 1.
inline constexpr int kShareOne = 32768;

/// Two neighboring frames and the position between them, in the format of the lane code.
struct FramePosition {
  uint32_t frame = 0;  // for BakedCharacter::values_of(); frame + 1 is read too
  int16_t share = 0;   // of the interval to frame + 1, in units of 1 / kShareOne
};

/// Clamps any time to the frames of the clip. NaN gives the first frame.
inline FramePosition frame_position(const BakedClip& clip, float time_seconds) {
  const double last = clip.frame_count - 1;
  double position = (double(time_seconds) - clip.start_seconds) * clip.frames_per_second;
  position = position > 0 ? (position < last ? position : last) : 0;
  uint32_t frame = uint32_t(position);
  if (frame + 2 > clip.frame_count) frame = clip.frame_count - 2;
  return {clip.first_frame + frame, int16_t(std::min((position - frame) * kShareOne + 0.5, kShareOne - 1.0))};
}

/// One quantized value between two frames, rounded like the lane code's fixed-point multiplication. bake() keeps
/// the difference of two neighboring frames within 16 bits.
inline int16_t between(int16_t a, int16_t b, int16_t share) {
  const int32_t difference = int16_t(b - a);
  return int16_t(a + ((difference * share + kShareOne / 2) >> 15));
}

/// Writes the delta of each node at a time of the clip: deltas[i] is of BakedCharacter::nodes[i].
void sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds, std::span<JointDelta> deltas);

}  // namespace sinew::internal
