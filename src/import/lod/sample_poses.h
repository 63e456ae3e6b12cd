// The poses in which levels of detail are compared with the finest mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

/// The rest pose, then samples of every clip, then random blends of clips with masks and additive clips:
/// what instances of a crowd play. Each pose with its joints and with the vertices of the character's mesh.
class SamplePoses {
 public:
  static constexpr uint32_t kRest = 0;
  /// Samples fewer poses of meshes with many vertices.
  static Result<SamplePoses> make(const Character& character, std::span<const NamedMask> masks);

  uint32_t count() const { return uint32_t(playbacks_.size()); }
  const Playback& playback(uint32_t pose) const { return playbacks_[pose]; }
  /// model_from_joint of each joint.
  std::span<const Matrix3x4d> joints(uint32_t pose) const {
    return std::span(joints_).subspan(size_t{pose} * joint_count_, joint_count_);
  }
  /// The vertices of the character's mesh in model space.
  std::span<const Vec3> positions(uint32_t pose) const {
    return std::span(positions_).subspan(size_t{pose} * vertex_count_, vertex_count_);
  }
  /// The palette of `skin`, whose entries are joints of the character's skeleton.
  std::vector<Matrix3x4> palette(const Skin& skin, uint32_t pose) const;
  /// The morph weights of the character's mesh.
  std::span<const float> weights(uint32_t pose) const {
    return std::span(weights_).subspan(size_t{pose} * target_count_, target_count_);
  }
  /// Poses that differ most from each other, the rest pose first: at most `max_count`.
  std::vector<uint32_t> most_different(const Skeleton& skeleton, size_t max_count) const;

 private:
  void choose_playbacks(const Character& character, std::span<const NamedMask> masks);
  Status evaluate(const Character& character, std::span<const NamedMask> masks);

  size_t joint_count_ = 0, vertex_count_ = 0, target_count_ = 0;
  std::vector<Playback> playbacks_;
  std::vector<Matrix3x4d> joints_;  // [pose][joint]
  std::vector<Vec3> positions_;     // [pose][vertex]
  std::vector<float> weights_;      // [pose][target]
};

}  // namespace sinew::internal
