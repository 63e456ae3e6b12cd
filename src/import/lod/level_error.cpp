#include "lod/level_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::internal {
namespace {

constexpr size_t kMaxMeasuredVertices = 20000;
constexpr float kPointSpacing = 0.01f;     // of the diagonal
constexpr double kErrorTolerance = 0.001;  // of the diagonal: smaller errors are not told apart
constexpr size_t kSomePoints = 768;
constexpr uint32_t kSomePoses = 16;
constexpr double kNearWorst = 0.85;  // points with such a share of the largest error are looked at in all poses
constexpr uint32_t kPosesPerTask = 16;
constexpr int kMaxSteps = 64;  // between points, along an edge

float longest_edge(Vec3 a, Vec3 b, Vec3 c) { return std::max({length(b - a), length(c - b), length(a - c)}); }

}  // namespace

LevelError::LevelError(const SamplePoses& poses, const Mesh& finest)
    : poses_(poses), vertices_(used_vertices(finest.indices, kMaxMeasuredVertices)) {
  const Vec3 size = size_of(bounding_box(poses.positions(SamplePoses::kRest)));
  diagonal_ = double(length(size)), extent_ = double(std::max({size.x, size.y, size.z}));
  for (uint32_t pose = 0; pose < poses.count(); ++pose)
    finest_.emplace_back(Surface{poses.positions(pose), finest.indices});
}

/// All points, with the nearest triangles of the rest pose.
LevelError::Points LevelError::points_of(const Level& level) const {
  Points points{vertices_, std::vector<uint32_t>(vertices_.size()), {}};
  std::vector<Vec3> rest(level.vertex_count);
  level.pose(SamplePoses::kRest, rest);
  std::vector<bool> is_listed(level.vertex_count);
  const float spacing = float(diagonal_) * kPointSpacing;
  for (uint32_t t = 0; t * 3 + 2 < level.indices.size(); ++t) {
    const auto vertex = [&](uint32_t corner) { return level.indices[size_t{t} * 3 + corner]; };
    const float longest = longest_edge(rest[vertex(0)], rest[vertex(1)], rest[vertex(2)]);
    const int steps = spacing > 0 ? int(std::clamp(std::ceil(longest / spacing), 1.0f, float(kMaxSteps))) : 1;
    const float step = 1 / float(steps), third = step / 3;
    for (int b = 0; b < steps; ++b) {  // the middles of steps * steps triangles
      for (int c = 0; b + c < steps; ++c) {
        points.level.push_back({t, float(b) * step + third, float(c) * step + third});
        if (b + c + 1 < steps) points.level.push_back({t, float(b) * step + 2 * third, float(c) * step + 2 * third});
      }
    }
    for (uint32_t corner = 0; corner < 3; ++corner) {
      if (is_listed[vertex(corner)]) continue;
      points.level.push_back({t, corner == 1 ? 1.0f : 0.0f, corner == 2 ? 1.0f : 0.0f});
      is_listed[vertex(corner)] = true;
    }
  }
  return points;
}

LevelError::Points LevelError::some_of(const Points& points, size_t count) {
  Points some;
  const size_t vertex_stride = points.vertices.size() / count + 1;
  for (size_t i = 0; i < points.vertices.size(); i += vertex_stride) some.vertices.push_back(points.vertices[i]);
  some.guesses.resize(some.vertices.size());
  const size_t point_stride = points.level.size() / count + 1;
  for (size_t i = 0; i < points.level.size(); i += point_stride) some.level.push_back(points.level[i]);
  return some;
}

/// Calls `visit(surface, point, guess, index)` for every point with the surface that it is compared with; points of the
/// level are numbered after the vertices.
template <class Visit>
void LevelError::visit(uint32_t pose, const Level& level, Points& points, Visit visit) {
  std::vector<Vec3> positions(level.vertex_count);
  level.pose(pose, positions);
  SurfaceDistance to_level({positions, level.indices});
  size_t index = 0;
  for (size_t i = 0; i < points.vertices.size(); ++i)
    visit(to_level, poses_.positions(pose)[points.vertices[i]], points.guesses[i], index++);
  for (SurfacePoint& point : points.level) {
    const auto at = [&](uint32_t corner) { return positions[level.indices[size_t{point.triangle} * 3 + corner]]; };
    const Vec3 p = at(0) + (at(1) - at(0)) * point.share_b + (at(2) - at(0)) * point.share_c;
    visit(finest_[pose], p, point.guess, index++);
  }
}

/// Errors that are too small to matter are not searched to the end.
double LevelError::largest_in(std::span<const uint32_t> poses, const Level& level, const Points& points,
                              const ParallelFor& parallel_for) {
  const double tolerance = diagonal_ * kErrorTolerance;
  const uint32_t tasks = (uint32_t(poses.size()) + kPosesPerTask - 1) / kPosesPerTask;
  std::vector<double> worst(tasks);
  for_each_index(parallel_for, tasks, [&](uint32_t task) {
    Points own = points;
    double& most = worst[task];
    const size_t end = std::min<size_t>(poses.size(), (task + 1) * kPosesPerTask);
    for (size_t i = task * kPosesPerTask; i < end; ++i) {
      visit(poses[i], level, own, [&](SurfaceDistance& surface, Vec3 p, uint32_t& guess, size_t) {
        most = std::max(most, surface.squared(p, guess, std::max(most, tolerance * tolerance)));
      });
    }
  });
  return *std::max_element(worst.begin(), worst.end());
}

/// Those whose error comes near the largest in one of some poses. `most` is a squared error that is known.
LevelError::Points LevelError::worst_of(const Level& level, const Points& points, double most) {
  Points own = points;
  std::vector<double> errors(points.vertices.size() + points.level.size());
  const double tolerance = diagonal_ * kErrorTolerance;
  most = std::max(most, tolerance * tolerance);
  for (uint32_t pose = 0; pose < poses_.count(); pose += poses_.count() / kSomePoses + 1) {
    visit(pose, level, own, [&](SurfaceDistance& surface, Vec3 p, uint32_t& guess, size_t index) {
      errors[index] = std::max(errors[index], surface.squared(p, guess, most * kNearWorst * kNearWorst));
      most = std::max(most, errors[index]);
    });
  }
  Points worst;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (errors[i] < most * kNearWorst * kNearWorst) continue;
    const size_t vertices = points.vertices.size();
    if (i < vertices)
      worst.vertices.push_back(points.vertices[i]), worst.guesses.push_back(own.guesses[i]);
    else
      worst.level.push_back(own.level[i - vertices]);
  }
  return worst;
}

double LevelError::largest(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                           const ParallelFor& parallel_for) {
  const Level level{indices, vertex_count, pose_level};
  const Points all = points_of(level);
  const Points some = some_of(all, kSomePoints);
  std::vector<uint32_t> poses(poses_.count());
  std::iota(poses.begin(), poses.end(), 0u);
  const double most = largest_in(poses, level, some, parallel_for);
  return std::sqrt(std::max(most, largest_in(poses, level, worst_of(level, all, most), parallel_for)));
}

double LevelError::estimate(std::span<const uint32_t> indices, uint32_t vertex_count, const PoseLevel& pose_level,
                            uint32_t stride, const ParallelFor& parallel_for) {
  const Level level{indices, vertex_count, pose_level};
  std::vector<uint32_t> poses;
  for (uint32_t pose = 0; pose < poses_.count(); pose += stride) poses.push_back(pose);
  return std::sqrt(largest_in(poses, level, some_of(points_of(level), kSomePoints * 2), parallel_for));
}

}  // namespace sinew::internal
