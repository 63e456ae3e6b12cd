#include "pose_sharing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "morph_motion.h"
#include "playback.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd {

namespace {

/// The angle between two rotations with scale, in radians. Computed from chords, so that small angles keep their
/// precision.
double rotation_angle(const Matrix3x4& a, const Matrix3x4& b) {
  double square = 0;
  for (int c = 0; c < 3; ++c) {
    const Vec3 from = normalize(Vec3{a.m[0][c], a.m[1][c], a.m[2][c]}, {});
    const Vec3 to = normalize(Vec3{b.m[0][c], b.m[1][c], b.m[2][c]}, {});
    const Vec3 chord = to - from;
    square += double(dot(chord, chord));
  }
  // A rotation by an angle moves the three axes by chords whose squares add up to 8 sin(angle / 2)^2.
  return 2 * std::asin(std::min(1.0, std::sqrt(square / 8)));
}

}  // namespace

double angle_between(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double widest = 0;
  for (size_t entry = 0; entry < a.size(); ++entry) widest = std::max(widest, rotation_angle(a[entry], b[entry]));
  return widest;
}

namespace internal {
namespace {

constexpr uint32_t kMaxBuckets = 1 << 24;  // of a model: a time in a float tells no more apart

}  // namespace

PoseDistance turned_distance(const ModelInfo& model) {
  const Mesh& mesh = model.character->mesh;
  const Box box = bounding_box(mesh.positions);
  const float radius = mesh.targets.empty() ? 1 : length(box.high - box.low) / 2;
  std::vector<float> sizes = morph_sizes(mesh);
  for (float& size : sizes) size = radius > 0 ? size / radius : 0;
  return [sizes = std::move(sizes)](const ExactPose& a, const ExactPose& b) {
    return std::max(float(angle_between(a.palette, b.palette)), morph_distance(sizes, a.weights, b.weights));
  };
}

PoseBuckets::PoseBuckets(const ModelInfo& model, const std::vector<ClipPath>& rotation_paths, uint32_t bucket_count)
    : rotation_paths_(rotation_paths.data()),
      clip_index_(model.character->clips.size(), -1),
      clips_(model.clips.begin(), model.clips.end()),
      first_{0} {
  double all = 0;
  for (const ClipPath& path : rotation_paths) all += path.length();
  width_ = all / std::clamp(bucket_count, 1u, kMaxBuckets);
  for (size_t i = 0; i < clips_.size(); ++i) {
    clip_index_[clips_[i]] = int32_t(i);
    const double buckets = width_ > 0 ? std::ceil(rotation_paths[i].length() / width_) : 1;
    first_.push_back(first_.back() + std::max(uint32_t(buckets), 1u));
  }
}

uint32_t PoseBuckets::bucket_of(const Playback& playback) const {
  const Layer* only = lone_layer(playback);
  if (!only || only->clip >= clip_index_.size() || clip_index_[only->clip] < 0) return kNoBucket;
  const size_t clip = size_t(clip_index_[only->clip]);
  const double angle = rotation_paths_[clip].at(only->time_seconds);
  const uint32_t count = first_[clip + 1] - first_[clip];
  return first_[clip] + std::min(width_ > 0 ? uint32_t(angle / width_) : 0, count - 1);
}

Playback PoseBuckets::playback_of(uint32_t bucket) const {
  const size_t clip = size_t(std::upper_bound(first_.begin(), first_.end(), bucket) - first_.begin()) - 1;
  const double begin = (bucket - first_[clip]) * width_;
  const double end = std::min(begin + width_, rotation_paths_[clip].length());
  Playback playback;
  playback.layers[0] = {clips_[clip], rotation_paths_[clip].time_of((begin + end) / 2), 1};
  return playback;
}

}  // namespace internal
}  // namespace sinew::crowd
