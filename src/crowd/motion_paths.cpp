#include "motion_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "asset/for_each.h"
#include "morph_motion.h"
#include "playback.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
namespace {

using Corners = std::array<Vec3, 8>;

/// The corners of boxes_of_entries(); all at the origin where there are none.
std::vector<Corners> corners_of_entries(const CharacterInfo& character) {
  std::vector<Corners> corners;
  for (const Box& box : boxes_of_entries(*character.character, character.clips))
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

}  // namespace

MotionPaths::MotionPaths(const CharacterInfo& character, const ParallelFor& parallel_for)
    : paths_(character.character->clips.size()), middle_(character.middle) {
  const std::vector<Corners> corners = corners_of_entries(character);
  const std::vector<float> sizes = morph_sizes(character.character->mesh);
  std::vector<float> radii(character.clips.size());
  for_each(parallel_for, uint32_t(radii.size()), [&](uint32_t i) {
    const auto distance = [&](const ExactPose& last, const ExactPose& now) {
      radii[i] = std::max(radii[i], max_distance_from(corners, now.palette, middle_));
      return distance_between(corners, last.palette, now.palette) +
             morph_distance(sizes, last.weights, now.weights) * scale_of(last.palette);
    };
    paths_[character.clips[i]] = measure_path(*character.character, character.clips[i], distance);
  });
  for (const float radius : radii) bounding_radius_ = std::max(bounding_radius_, radius);
}

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
