// When the frames of a bake are: the times that it tries, from the keys of a clip.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/baked_character.h"
#include "sinew/asset/clip.h"

namespace sinew::internal {

enum class Tracks : uint8_t { kJoints, kWeights };

/// The frames of a clip at the lowest rate, at most: with two at each time where a value jumps.
double least_frames(const Clip& clip, Tracks tracks, const BakeOptions& options);

/// A clip may have this many frames, however short it is: clips of files without a rate may last a few milliseconds.
inline constexpr uint32_t kFramesOfAnyClip = 256;

/// The frames to try for a clip. Where a value jumps, at a step key and at several keys of one time, there are two at
/// that time.
struct FramesToTry {
  /// Ascending: at the lowest rate, at its doublings, at the highest rate, and at the smallest rate with a frame on
  /// every key, if there is one and the search does not take too long.
  std::vector<BakedTimes> at_equal_steps;
  /// On every key and, between them, at about the lowest rate. No frames if these are more than at the highest rate,
  /// and more than kFramesOfAnyClip.
  BakedTimes at_keys;
};

FramesToTry frames_to_try(const Clip& clip, Tracks tracks, const BakeOptions& options);

/// Splits the steps between frames whose errors are above `max_error`, into as many parts as are needed if the error
/// falls with the square of the step.
BakedTimes split_steps(const Clip& clip, const BakedTimes& times, std::span<const double> step_errors,
                       double max_error);

}  // namespace sinew::internal
