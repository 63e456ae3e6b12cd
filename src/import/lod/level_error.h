// The poses in which levels of detail are compared with the finest mesh, and the error there.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lod/surface_distance.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

// The poses in which levels of detail are compared with the finest mesh.

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

// The error of a level of detail: how far its surface is from that of the finest mesh while both move.

/// Measures levels of one character against its mesh.
class LevelError {
 public:
  /// Both must outlive this. `finest` must have a triangle, and the vertices of `poses`.
  LevelError(const SamplePoses& poses, const Mesh& finest);

  /// Writes the vertices of a level in a pose, in model space.
  using PoseLevel = std::function<void(uint32_t pose, std::span<Vec3> positions)>;

  /// The largest distance in any pose from a vertex of the finest mesh to the surface of the level, or from a point of
  /// the level to that of the finest mesh. `indices` are the triangles of the level, at least one. Points of the level
  /// are a hundredth of the character apart. Looks at some points in all poses, then at all points in some poses, and
  /// at those with large errors there in all poses. `pose_level` is called on the threads of `parallel_for`.
  double largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                 const ParallelFor& parallel_for);
  /// The same in every so-many-th pose, of some of the points.
  double estimate(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                  uint32_t stride, const ParallelFor& parallel_for);

  /// The diagonal of the box around the finest mesh in the rest pose.
  double diagonal() const { return diagonal_; }
  /// The largest extent of that box along an axis.
  double extent() const { return extent_; }

 private:
  /// A point of a triangle of the level.
  struct SurfacePoint {
    uint32_t triangle = 0;
    float share_b = 0, share_c = 0;
    uint32_t guess = 0;  // the nearest triangle of the finest mesh in the pose before
  };
  /// What is compared: points of both surfaces, each with the triangle of the other one that was nearest in the pose
  /// that was looked at last.
  struct Points {
    std::vector<uint32_t> vertices;   // of the finest mesh
    std::vector<uint32_t> guesses;    // of each of them
    std::vector<SurfacePoint> level;  // points of the level
  };
  struct Level {
    std::span<const uint32_t> indices;
    uint32_t vertex_count;
    const PoseLevel& pose;
  };
  Points points_of(const Level& level) const;
  static Points some_of(const Points& points, size_t count);
  Points worst_of(const Level& level, const Points& points, double most);
  /// The largest of the squared errors in the poses.
  double largest_in(std::span<const uint32_t> poses, const Level& level, const Points& points,
                    const ParallelFor& parallel_for);
  template <class Visit>
  void visit(uint32_t pose, const Level& level, Points& points, Visit visit);

  const SamplePoses& poses_;
  double diagonal_ = 0, extent_ = 0;
  std::vector<uint32_t> vertices_;       // of the finest mesh, that are measured
  std::vector<SurfaceDistance> finest_;  // of each pose
};

}  // namespace sinew::internal
