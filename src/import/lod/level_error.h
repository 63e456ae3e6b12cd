// The error of a level of detail: how far its surface is from that of the finest mesh while both move.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lod/sample_poses.h"
#include "lod/surface_distance.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"

namespace sinew::internal {

/// Measures levels of one character against its mesh.
class LevelError {
 public:
  /// Both must outlive this. `finest` must have a triangle, and the vertices of `poses`.
  LevelError(const SamplePoses& poses, const Mesh& finest);

  /// Writes the vertices of a level in a pose, in model space.
  using PoseLevel = std::function<void(uint32_t pose, std::span<Vec3> positions)>;

  /// The largest distance in any pose from a vertex of the finest mesh to the surface of the level, or from a point of
  /// the level to that of the finest mesh. `indices` are the triangles of the level, at least one. Of more than 20,000
  /// vertices only every second, third... is measured; points of the level are a hundredth of the character apart.
  /// `stride`: only every so-many-th pose. `pose_level` is called on the threads of `parallel_for`.
  double largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                 uint32_t stride, const ParallelFor& parallel_for);

  /// The diagonal of the box around the finest mesh in the rest pose.
  double diagonal() const { return diagonal_; }

 private:
  /// A point of a triangle of the level.
  struct SurfacePoint {
    uint32_t triangle = 0;
    float share_b = 0, share_c = 0;
    uint32_t guess = 0;  // the nearest triangle of the finest mesh in the pose before
  };
  /// The nearest triangles in the pose that was looked at last: they are looked at first in the next.
  struct Guesses {
    std::vector<uint32_t> of_vertices;  // of the level
    std::vector<SurfacePoint> points;
  };
  /// The squared error in one pose, if it is above `enough`.
  double largest_in(uint32_t pose, std::span<const uint32_t> indices, std::span<const Vec3> positions, double enough,
                    Guesses& guesses);
  double largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                 uint32_t stride, double first_enough, const ParallelFor& parallel_for);
  std::vector<SurfacePoint> points_on(std::span<const uint32_t> indices, std::span<const Vec3> positions) const;

  const SamplePoses& poses_;
  double diagonal_ = 0;
  std::vector<uint32_t> vertices_;       // of the finest mesh, that are measured
  std::vector<SurfaceDistance> finest_;  // of each pose
};

}  // namespace sinew::internal
