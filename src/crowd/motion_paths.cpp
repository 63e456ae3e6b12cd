#include "motion_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "asset/for_each.h"
#include "morph_motion.h"
#include "playback.h"
#include "pose_sharing.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
namespace {

using Corners = std::array<Vec3, 8>;

/// The corners of boxes_of_entries(); all at the origin where there are none.
std::vector<Corners> corners_of_entries(const ModelInfo& model) {
  std::vector<Corners> corners;
  for (const Box& box : boxes_of_entries(*model.character, model.clips))
    corners.push_back(corners_of(box.low.x <= box.high.x ? box : Box{}));
  return corners;
}

float distance_between(std::span<const Corners> corners, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  float max_distance = 0;
  for (size_t entry = 0; entry < corners.size(); ++entry) {
    Matrix3x4 change;
    for (int i = 0; i < 12; ++i) change.m[i / 4][i % 4] = b[entry].m[i / 4][i % 4] - a[entry].m[i / 4][i % 4];
    for (const Vec3 corner : corners[entry])
      max_distance = std::max(max_distance, length(transform_point(change, corner)));
  }
  return max_distance;
}

float max_distance_from(std::span<const Corners> corners, std::span<const Matrix3x4> palette, Vec3 middle) {
  float radius = 0;
  for (size_t entry = 0; entry < corners.size(); ++entry) {
    for (const Vec3 corner : corners[entry])
      radius = std::max(radius, length(transform_point(palette[entry], corner) - middle));
  }
  return radius;
}

/// How much a palette makes a distance in mesh space longer, at most.
float scale_of(std::span<const Matrix3x4> palette) {
  float largest = 0;
  for (const Matrix3x4& matrix : palette) largest = std::max(largest, max_scale(matrix));
  return largest;
}

/// The scale of a matrix that scales uniformly, as all instances do.
float scale_of(const Matrix3x4& m) { return length(Vec3{m.m[0][0], m.m[1][0], m.m[2][0]}); }

/// The two distances between poses of a model.
struct Distances {
  Distances() = default;
  Distances(const ModelInfo& model, const WantedMotion& wanted) : middle(model.middle) {
    if (wanted.moved) corners = corners_of_entries(model), sizes = morph_sizes(model.character->mesh);
    if (wanted.turned) turned = turned_distance(model);
  }

  float moved(const ExactPose& last, const ExactPose& now) const {
    return distance_between(corners, last.palette, now.palette) +
           morph_distance(sizes, last.weights, now.weights) * scale_of(last.palette);
  }

  std::vector<Corners> corners;
  std::vector<float> sizes;
  Vec3 middle;
  PoseDistance turned;
};

struct ClipOfModel {
  uint32_t model = 0, index = 0;  // in ModelInfo::clips
};

std::vector<ClipOfModel> clips_of(std::span<const ModelInfo> models) {
  std::vector<ClipOfModel> clips;
  for (uint32_t c = 0; c < models.size(); ++c) {
    for (uint32_t i = 0; i < models[c].clips.size(); ++i) clips.push_back({c, i});
  }
  return clips;
}

/// Writes the paths of a clip. Returns the radius of what it reaches, where that is wanted.
float measure_clip(const ModelInfo& model, const Distances& distances, const WantedMotion& wanted, uint32_t i,
                   ClipMotion& motion) {
  float radius = 0;
  std::vector<PoseDistance> measured;
  if (wanted.moved) {
    measured.push_back([&](const ExactPose& last, const ExactPose& now) {
      radius = std::max(radius, max_distance_from(distances.corners, now.palette, distances.middle));
      return distances.moved(last, now);
    });
  }
  if (wanted.turned) measured.push_back(distances.turned);
  std::vector<ClipPath> paths = measure_paths(*model.character, model.clips[i], measured);
  if (wanted.moved) motion.moved[i] = std::move(paths.front());
  if (wanted.turned) motion.turned[i] = std::move(paths.back());
  return radius;
}

}  // namespace

std::vector<ClipMotion> measure_motion(std::span<const ModelInfo> models, const WantedMotion& wanted,
                                       const ParallelFor& parallel_for) {
  std::vector<ClipMotion> motions(models.size());
  if (!wanted.moved && !wanted.turned) return motions;
  std::vector<Distances> distances(models.size());
  for_each(parallel_for, uint32_t(models.size()), [&](uint32_t c) {
    if (models[c].character == nullptr) return;  // it is gone
    distances[c] = Distances(models[c], wanted);
    if (wanted.moved) motions[c].moved.resize(models[c].clips.size());
    if (wanted.turned) motions[c].turned.resize(models[c].clips.size());
  });
  const std::vector<ClipOfModel> clips = clips_of(models);
  std::vector<float> radii(clips.size());
  for_each(parallel_for, uint32_t(clips.size()), [&](uint32_t i) {
    const auto [c, index] = clips[i];
    radii[i] = measure_clip(models[c], distances[c], wanted, index, motions[c]);
  });
  for (size_t i = 0; i < clips.size(); ++i) {
    float& radius = motions[clips[i].model].bounding_radius;
    radius = std::max(radius, radii[i]);
  }
  return motions;
}

MotionPaths::MotionPaths(const ModelInfo& model, ClipMotion& motion)
    : paths_(model.character->clips.size()), middle_(model.middle), bounding_radius_(motion.bounding_radius) {
  for (size_t i = 0; i < model.clips.size(); ++i) paths_[model.clips[i]] = std::move(motion.moved[i]);
}

MotionPaths::MotionPaths(const ModelInfo& model, const ParallelFor& parallel_for)
    : MotionPaths(model, measure_motion({&model, 1}, {.moved = true}, parallel_for).front()) {}

float MotionPaths::max_error_over(const PathPoint& begin, float clip_seconds) {
  if (begin.path == nullptr) return std::numeric_limits<float>::infinity();
  const ClipPath& path = *begin.path;
  const float duration = path.end_seconds() - path.start_seconds();
  const auto wrapped = [&](float seconds) {
    const float rounds = duration > 0 ? std::floor((seconds - path.start_seconds()) / duration) : 0;
    return seconds - rounds * duration;
  };
  const double middle = path.at(wrapped(begin.time_seconds + clip_seconds / 2));
  const double last = path.at(wrapped(begin.time_seconds + clip_seconds));
  return std::max(path.apart(path.at(begin.time_seconds), middle), path.apart(middle, last));
}

/// A point p, relative to the eye, moves by a distance s. On the picture it moves by at most f s |p| / (z z') pixels,
/// where f is the pixels per radian and z and z' are its depths before and after.
float MotionPaths::max_pixels_per_unit(const View& view, const Matrix3x4& world_from_model) const {
  const float units = scale_of(world_from_model), radius = bounding_radius_ * units;  // world units
  const Vec3 center = transform_point(world_from_model, middle_);
  const float* m = view.clip_from_world;
  const float min_depth = m[3] * center.x + m[7] * center.y + m[11] * center.z + m[15] - radius;
  if (!(min_depth > 0)) return std::numeric_limits<float>::infinity();
  const float max_distance = length(view.eye - center) + radius;
  return view.pixels_per_radian * max_distance / (min_depth * min_depth) * units;
}

}  // namespace sinew::crowd::internal
