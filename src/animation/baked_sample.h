// Sampling a bake one instance at a time: the plain version of the crowd's kernel, and what a bake measures itself
// with.
#pragma once

#include <span>

#include "movement.h"
#include "sinew/bake.h"

namespace sinew {

/// A 16-bit fixed-point share cannot be 1: shares add to this many 32768ths, which the ranges' scale makes up for.
inline constexpr int kShareOne = 32767;
inline constexpr double kShareScale = 32768.0 / kShareOne;

/// Two neighbouring frames and how far between them, as the kernel uses it.
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
  return {clip.first_frame + frame, int16_t((position - frame) * kShareOne + 0.5)};
}

/// One number between two frames, rounded as the kernel's fixed-point multiply does.
inline int16_t between(int16_t a, int16_t b, int16_t share) {
  const auto times = [](int32_t value, int32_t factor) { return (value * factor + (1 << 14)) >> 15; };
  return int16_t(times(a, kShareOne - share) + times(b, share));
}

/// The movement of every step of the walk.
void sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds,
                  std::span<Movement> movements);

}  // namespace sinew
