#include "lod/level_error.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew::internal {
namespace {

constexpr size_t kMaxVertices = 20000;
constexpr float kPointSpacing = 0.01f;  // of the diagonal
constexpr double kFirstDistance = 0.002;  // of the diagonal; below it, distances are searched a second time
constexpr uint32_t kPosesPerTask = 64;
constexpr int kMaxSteps = 64;            // between points, along an edge

float longest_edge(Vec3 a, Vec3 b, Vec3 c) { return std::max({length(b - a), length(c - b), length(a - c)}); }

}  // namespace

LevelError::LevelError(const SamplePoses& poses, const Mesh& finest)
    : poses_(poses), vertices_(used_vertices(finest.indices, kMaxVertices)) {
  diagonal_ = double(length(size_of(bounding_box(poses.positions(SamplePoses::kRest)))));
  for (uint32_t pose = 0; pose < poses.count(); ++pose)
    finest_.emplace_back(Surface{poses.positions(pose), finest.indices});
}

std::vector<LevelError::SurfacePoint> LevelError::points_on(std::span<const uint32_t> indices,
                                                            std::span<const Vec3> positions) const {
  std::vector<SurfacePoint> points;
  std::unique_ptr<bool[]> is_new_vertex(new bool[positions.size()]);
  std::fill_n(is_new_vertex.get(), positions.size(), true);
  const float spacing = float(diagonal_) * kPointSpacing;
  for (uint32_t t = 0; t * 3 + 2 < indices.size(); ++t) {
    const auto at = [&](uint32_t corner) { return positions[indices[t * 3 + corner]]; };
    const float longest = longest_edge(at(0), at(1), at(2));
    const int steps = spacing > 0 ? int(std::clamp(std::ceil(longest / spacing), 1.0f, float(kMaxSteps))) : 1;
    const float step = 1 / float(steps), third = step / 3;
    for (int b = 0; b < steps; ++b) {  // the middles of steps * steps triangles
      for (int c = 0; b + c < steps; ++c) {
        points.push_back({t, float(b) * step + third, float(c) * step + third});
        if (b + c + 1 < steps) points.push_back({t, float(b) * step + 2 * third, float(c) * step + 2 * third});
      }
    }
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    bool& is_new = is_new_vertex[indices[i]];
    if (is_new) points.push_back({uint32_t(i / 3), i % 3 == 1 ? 1.0f : 0.0f, i % 3 == 2 ? 1.0f : 0.0f});
    is_new = false;
  }
  return points;
}

double LevelError::largest_in(uint32_t pose, std::span<const uint32_t> indices, std::span<const Vec3> positions,
                              double enough, Guesses& guesses) {
  SurfaceDistance to_level({positions, indices});
  double worst = 0;
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 p = poses_.positions(pose)[vertices_[i]];
    worst = std::max(worst, to_level.squared(p, guesses.of_vertices[i], std::max(worst, enough)));
  }
  for (SurfacePoint& point : guesses.points) {
    const auto at = [&](uint32_t corner) { return positions[indices[size_t{point.triangle} * 3 + corner]]; };
    const Vec3 p = at(0) + (at(1) - at(0)) * point.share_b + (at(2) - at(0)) * point.share_c;
    worst = std::max(worst, finest_[pose].squared(p, point.guess, std::max(worst, enough)));
  }
  return worst;
}

/// Distances up to the root of `first_enough` may be larger than exact ones.
double LevelError::largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                           uint32_t stride, double first_enough, const ParallelFor& parallel_for) {
  Guesses first{std::vector<uint32_t>(vertices_.size()), {}};
  std::vector<Vec3> rest(vertex_count);
  pose_level(SamplePoses::kRest, rest);
  first.points = points_on(indices, rest);
  const double in_rest = largest_in(SamplePoses::kRest, indices, rest, first_enough, first);
  const uint32_t poses = (poses_.count() + stride - 1) / stride, tasks = (poses + kPosesPerTask - 1) / kPosesPerTask;
  std::vector<double> worst(tasks, in_rest);
  for_each_index(parallel_for, tasks, [&](uint32_t task) {
    Guesses guesses = first;
    std::vector<Vec3> positions(vertex_count);
    for (uint32_t i = task * kPosesPerTask; i < std::min(poses, (task + 1) * kPosesPerTask); ++i) {
      pose_level(i * stride, positions);
      const double enough = std::max(worst[task], first_enough);
      worst[task] = std::max(worst[task], largest_in(i * stride, indices, positions, enough, guesses));
    }
  });
  return *std::max_element(worst.begin(), worst.end());
}

double LevelError::largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                           uint32_t stride, const ParallelFor& parallel_for) {
  const double tolerance = diagonal_ * kFirstDistance, squared_tolerance = tolerance * tolerance;
  const double fast = largest(indices, vertex_count, pose_level, stride, squared_tolerance, parallel_for);
  if (fast > squared_tolerance) return std::sqrt(fast);
  return std::sqrt(largest(indices, vertex_count, pose_level, stride, 0, parallel_for));
}

}  // namespace sinew::internal
