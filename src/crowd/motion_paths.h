// How far the clips of a model move its vertices. It bounds the error of a pose that is not updated: how far any
// vertex moves in a given time.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "clip_path.h"
#include "playback.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"

namespace sinew::crowd::internal {

/// What the clips of a model do, as paths: see MotionPaths and PoseBuckets.
struct ClipMotion {
  std::vector<ClipPath> moved;   // of each of ModelInfo::clips: how far vertices move, in model units
  float bounding_radius = 0;     // from ModelInfo::middle, of all vertices in all poses; measured with `moved`
  std::vector<ClipPath> turned;  // of each of ModelInfo::clips: how far joints turn, in radians
};

/// Which of the paths are measured.
struct WantedMotion {
  bool moved = false, turned = false;
};

/// Measures the clips of each model, in one walk over their exact poses. Keeps no reference to the arguments.
std::vector<ClipMotion> measure_motion(std::span<const ModelInfo> models, const WantedMotion& wanted,
                                       const ParallelFor& parallel_for);

/// A moment of a clip.
struct PathPoint {
  const ClipPath* path = nullptr;  // null: on no path
  float time_seconds = 0;
};

/// How far the clips of a model move its vertices, in model units. A skinned vertex is the weighted mean of its
/// positions under its palette entries. So it moves no further than the furthest corner of the vertex boxes of all
/// entries, and what morph weights move it.
class MotionPaths {
 public:
  MotionPaths() = default;  // of no model
  /// Takes ClipMotion::moved of the model. Keeps no reference to it.
  MotionPaths(const ModelInfo& model, ClipMotion& motion);
  /// Measures it.
  MotionPaths(const ModelInfo& model, const ParallelFor& parallel_for);

  /// Where a playback is. It is on no path unless it plays a single clip.
  PathPoint point_of(const Playback& playback) const;
  /// What is at a point of a path: the pose of any playback that is there.
  Playback playback_of(const PathPoint& point) const;

  /// Upper bound of how far any vertex is apart in two poses. Infinite unless both are on the same path.
  static float max_distance_between(const PathPoint& a, const PathPoint& b);
  float max_distance_between(const Playback& a, const Playback& b) const {
    return max_distance_between(point_of(a), point_of(b));
  }
  /// Whether this bound is at most `limit` pixels. Most often the speed of the clip tells.
  static bool are_close(const PathPoint& a, const PathPoint& b, float pixels_per_unit, float limit);

  /// Upper bound of the error while one pose is shown for `clip_seconds` from `begin` on, where that pose is the one of
  /// the middle of this time. Infinite unless `begin` is on a path.
  static float max_error_over(const PathPoint& begin, float clip_seconds);
  float max_error_over(const Playback& begin, float clip_seconds) const {
    return max_error_over(point_of(begin), clip_seconds);
  }
  /// Whether this bound is at most `limit` pixels.
  static bool stays_close(const PathPoint& begin, float clip_seconds, float pixels_per_unit, float limit);

  /// Upper bound of the pixels per model unit around an instance that plays a single clip. Infinite where the instance
  /// may reach the plane of the eye.
  float max_pixels_per_unit(const View& view, const Matrix3x4& world_from_model) const;

 private:
  static constexpr float kClearly = 0.999f;  // part of a limit that rounding cannot exceed
  static constexpr float kNearEnd = 1e-4f;   // part of a clip

  std::vector<ClipPath> paths_;  // of each clip in Character::clips; empty where the clip was not measured
  Vec3 middle_;                  // ModelInfo::middle
  float bounding_radius_ = 0;    // as in ClipMotion
};

inline PathPoint MotionPaths::point_of(const Playback& playback) const {
  const Layer* lone = lone_layer(playback);
  if (!lone || lone->clip >= paths_.size() || paths_[lone->clip].empty()) return {};
  return {&paths_[lone->clip], lone->time_seconds};
}

inline Playback MotionPaths::playback_of(const PathPoint& point) const {
  return {{{uint32_t(point.path - paths_.data()), point.time_seconds, 1}}};
}

inline float MotionPaths::max_distance_between(const PathPoint& a, const PathPoint& b) {
  if (a.path == nullptr || a.path != b.path) return std::numeric_limits<float>::infinity();
  return a.path->between(a.time_seconds, b.time_seconds);
}

inline bool MotionPaths::are_close(const PathPoint& a, const PathPoint& b, float pixels_per_unit, float limit) {
  if (a.path == nullptr || a.path != b.path) return false;
  const float reached = a.path->max_speed * std::abs(a.time_seconds - b.time_seconds);
  return reached * pixels_per_unit <= limit * kClearly || max_distance_between(a, b) * pixels_per_unit <= limit;
}

inline bool MotionPaths::stays_close(const PathPoint& begin, float clip_seconds, float pixels_per_unit, float limit) {
  if (begin.path == nullptr) return false;
  const ClipPath& path = *begin.path;
  // A time near the end may wrap around to the start.
  const float end = begin.time_seconds + clip_seconds;
  const float last = path.end_seconds() - (path.end_seconds() - path.start_seconds()) * kNearEnd;
  const bool wraps = !(std::min(begin.time_seconds, end) >= path.start_seconds() && end <= last);
  const float reached = path.max_speed * std::abs(clip_seconds) / 2;
  return (!wraps && reached * pixels_per_unit <= limit * kClearly) ||
         max_error_over(begin, clip_seconds) * pixels_per_unit <= limit;
}

}  // namespace sinew::crowd::internal
