// Update rate by distance. A distant instance is sampled and skinned only in every second or fourth frame, and drawn in
// every frame. The motion of each clip bounds the error: how far any vertex moves in a given time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "crowd/clip_path.h"
#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// The largest error of a vertex whose pose is not updated in a frame, in pixels.
inline constexpr float kMaxUpdateErrorPixels = 1;

// The instances of one rate are divided at random into as many update groups as the rate counts frames, so that the
// groups share the work of each frame. Group 0 is updated in every frame, 1 and 2 in every second, 3 to 6 in every
// fourth.
inline constexpr uint32_t kSlowestRate = 4, kUpdateGroups = 1 + 2 + 4;

inline uint32_t group_of_rate(uint32_t rate, uint64_t random_bits) { return rate - 1 + uint32_t(random_bits % rate); }
inline uint32_t rate_of_group(uint32_t group) { return std::bit_floor(group + 1); }

/// The number of frames until a group is updated; 0: it is updated in this frame.
inline uint32_t frames_until_update(uint32_t group, uint64_t frame) {
  const uint64_t rate = rate_of_group(group), phase = group - (rate - 1);
  return uint32_t((phase + rate - frame % rate) % rate);
}

/// How far the clips of a model move its vertices, in model units. A skinned vertex is the weighted mean of its
/// positions under its palette entries. So it moves no further than the furthest corner of the vertex boxes of all
/// entries.
class MotionPaths {
 public:
  /// Measures the exact poses of every clip in Model::clips on the pool's threads. Keeps no reference to the arguments.
  MotionPaths(const Model& model, ThreadPool& pool);

  /// Upper bound of how far any vertex is apart in two poses. Infinite unless both play the same single clip.
  float max_distance_between(const Playback& a, const Playback& b) const;

  /// Upper bound of the error while one pose is shown for `clip_seconds` from `begin` on, where that pose is the one of
  /// the middle of this time. Infinite unless `begin` plays a single clip.
  float max_error_over(const Playback& begin, float clip_seconds) const;

  /// Upper bound of the pixels per model unit around an instance that plays a single clip. Infinite where the instance
  /// may reach the plane of the eye.
  float max_pixels_per_unit(const View& view, const CrowdInstance& instance) const;

 private:
  const ClipPath* path_of(const Playback& playback) const;

  std::vector<ClipPath> paths_;  // of each clip in Character::clips; empty where the model does not play it
  Vec3 middle_;                  // of the model, in model space
  float bounding_radius_ = 0;    // from `middle_`, of all vertices in all poses
};

}  // namespace sinew::app
