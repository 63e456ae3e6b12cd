// Samples a bake, one instance at a time: the reference for the evaluator's lane code. bake() measures its own error
// with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "joint_delta.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/clip.h"

namespace sinew::internal {

/// The fixed-point share of a whole frame interval. A share has 16 bits, so it is at most kShareOne - 1.
inline constexpr int kShareOne = 32768;

/// Two neighboring frames and the position between them, in the format of the lane code.
struct FramePosition {
  uint32_t frame = 0;  // for BakedCharacter::values_of(); frame + 1 is read too
  int16_t share = 0;   // of the interval to frame + 1, in units of 1 / kShareOne
};

/// A frame of a clip that is not its last one, and the share of the step to the next.
struct FrameShare {
  uint32_t frame = 0;
  double share = 0;
};

/// Frames at times of their own. The second of two frames at one time holds from that time on.
inline FrameShare find_frame(std::span<const float> frame_seconds, float time_seconds) {
  if (!(time_seconds > frame_seconds.front())) return {};
  const auto next = std::upper_bound(frame_seconds.begin() + 1, frame_seconds.end() - 1, time_seconds);
  const double from = *(next - 1), step = *next - from;
  return {uint32_t(next - 1 - frame_seconds.begin()), time_seconds < *next ? (time_seconds - from) / step : 1};
}

/// Clamps any time to the frames of the clip that starts at `start_seconds`. NaN gives the first frame.
inline FrameShare find_frame(const BakedTimes& times, float start_seconds, float time_seconds) {
  if (!times.frame_seconds.empty()) return find_frame(times.frame_seconds, time_seconds);
  const double last = times.frame_count - 1;
  double position = (double(time_seconds) - start_seconds) * times.frames_per_second;
  position = position > 0 ? (position < last ? position : last) : 0;
  const uint32_t frame = std::min(uint32_t(position), times.frame_count - 2);
  return {frame, position - frame};
}

inline FramePosition frame_position(const BakedClip& clip, float time_seconds) {
  const FrameShare at = find_frame(clip.times, clip.start_seconds, time_seconds);
  return {clip.first_frame + at.frame, int16_t(std::min(at.share * kShareOne + 0.5, kShareOne - 1.0))};
}

/// Whether a value may jump after a frame: the next one is at the same time. At the clip's end a third one follows.
inline bool is_before_jump(const BakedTimes& times, uint32_t frame) {
  const std::vector<float>& seconds = times.frame_seconds;
  return frame + 2 < seconds.size() && seconds[frame] == seconds[frame + 1];
}

/// The time of a frame of a clip, or between it and the next one.
inline double time_of(const BakedTimes& times, const Clip& clip, uint32_t frame, double share = 0) {
  if (frame + 1 >= times.frame_count) return clip.end_seconds;
  if (times.frame_seconds.empty()) return clip.start_seconds + (frame + share) / times.frames_per_second;
  const double from = times.frame_seconds[frame];
  return from + (times.frame_seconds[frame + 1] - from) * share;
}

/// The time whose values a frame has: of two frames at one time the first has those just before it.
inline float sample_time_of(const BakedTimes& times, const Clip& clip, uint32_t frame) {
  const auto seconds = float(time_of(times, clip, frame));
  return is_before_jump(times, frame) ? std::nextafter(seconds, -INFINITY) : seconds;
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
