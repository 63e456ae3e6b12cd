// Pose sharing. The time of each clip is divided into buckets in which no joint turns far. All instances that play one
// clip within one bucket can be drawn with one pose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clip_path.h"
#include "sinew/animation/evaluator.h"
#include "sinew/crowd/model_info.h"

namespace sinew::crowd::internal {

/// No bucket: an instance shows its own pose.
inline constexpr uint32_t kNoBucket = UINT32_MAX;

/// The distance between two poses in radians: the rotation in model space of the joint that turns furthest. A vertex
/// that morph weights move turns around the middle of the mesh, at half the size of the mesh.
PoseDistance turned_distance(const ModelInfo& model);

/// The clips of a model, divided into about `bucket_count` buckets, 16 million at most. The joints turn equally far in
/// each bucket.
class PoseBuckets {
 public:
  PoseBuckets() = default;  // of no model
  /// `rotation_paths` is ClipMotion::turned of the model, and must outlive the buckets.
  PoseBuckets(const ModelInfo& model, const std::vector<ClipPath>& rotation_paths, uint32_t bucket_count);

  uint32_t count() const { return first_.empty() ? 0 : first_.back(); }

  /// The bucket of a playback of one single clip. kNoBucket for a blend, and for a clip that is not in
  /// ModelInfo::clips.
  uint32_t bucket_of(const Playback& playback) const;

  /// The playback that replaces all playbacks of a bucket: the middle of the bucket.
  Playback playback_of(uint32_t bucket) const;

  /// The largest rotation error of a joint in a shared pose, as far as the samples of the clips can tell.
  float radians() const { return float(width_ / 2); }

 private:
  const ClipPath* rotation_paths_ = nullptr;  // of each clip in ModelInfo::clips
  double width_ = 0;                          // radians per bucket
  std::vector<int32_t> clip_index_;           // of each clip in Character::clips: its index in ModelInfo::clips, or -1
  std::vector<uint32_t> clips_;               // ModelInfo::clips
  std::vector<uint32_t> first_;               // first bucket of each clip in `clips_`, then the end
};

}  // namespace sinew::crowd::internal
