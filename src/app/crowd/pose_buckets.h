// Pose sharing: the times of clips are divided into buckets within which no joint turns far, so that all who play one
// clip within one bucket can be drawn with one pose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crowd/clip_path.h"
#include "scene/model.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// The widest angle between two palettes' rotations, in radians; what scales must not shear.
double angle_between(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

/// How far the joints of each of the model's clips turn, in model space: whichever turns fastest at each moment, in
/// radians.
std::vector<ClipPath> measure_rotation_paths(const Model& model);

/// The clips of a model, divided into about as many buckets as are asked for, each of which turns equally far.
class PoseBuckets {
 public:
  PoseBuckets(const Model& model, const std::vector<ClipPath>& turns, uint32_t bucket_count);

  uint32_t count() const { return first_.empty() ? 0 : first_.back(); }

  /// Of what plays one of the model's clips and nothing else; nothing of what blends.
  std::optional<uint32_t> bucket_of(const Playback& playback) const;

  /// What is played in place of all of a bucket: the middle of it.
  Playback playback_of(uint32_t bucket) const;

  /// How far a joint is turned at most from where it should be, within what sampling the clips can tell.
  float radians() const { return float(width_ / 2); }

 private:
  const std::vector<ClipPath>* rotation_paths_;  // of each of the model's clips
  double width_ = 0;                             // radians
  std::vector<int32_t> clip_index_;              // of each clip of the character: in Model::clips, or -1
  std::vector<uint32_t> clips_;                  // Model::clips
  std::vector<uint32_t> first_;                  // bucket of each of these, and the end
};

}  // namespace sinew::app
