#include "lod/level_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/animation/pose.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::internal {
namespace {

constexpr size_t kClipSamples = 192;  // of all clips together, but for the limits below
constexpr size_t kMinPerClip = 3, kMaxPerClip = 24;
constexpr size_t kBlends = 64;
constexpr size_t kMaxMovedVertices = 6'000'000;  // in all poses
constexpr size_t kMinSamples = 8;

/// The same numbers on every machine. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators".
class Random {
 public:
  float unit() { return float(next() >> 40) / float(1 << 24); }
  uint32_t below(size_t count) { return uint32_t(next() % count); }

 private:
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t value = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  uint64_t state_ = 1;
};

float time_at(const Clip& clip, float share) { return clip.start_seconds + share * clip.duration_seconds(); }

std::vector<uint32_t> clips_of(const Character& character, bool additive) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].additive == additive) found.push_back(i);
  }
  return found;
}

Layer random_layer(const Character& character, std::span<const uint32_t> clips, size_t mask_count, Random& random) {
  const uint32_t clip = clips[random.below(clips.size())];
  const float time = time_at(character.clips[clip], random.unit());
  return {clip, time, 0.05f + random.unit(), mask_count > 0 && random.unit() < 0.5f ? 1 + random.below(mask_count) : 0};
}

constexpr float kPointSpacing = 0.01f;     // of the diagonal
constexpr double kErrorTolerance = 0.001;  // of the diagonal: smaller errors are not told apart
constexpr size_t kSomePoints = 768;
constexpr uint32_t kSomePoses = 16;
constexpr double kNearWorst = 0.85;  // points with such a share of the largest error are looked at in all poses
constexpr uint32_t kPosesPerTask = 16;
constexpr int kMaxSteps = 64;  // between points, along an edge

float longest_edge(Vec3 a, Vec3 b, Vec3 c) { return std::max({length(b - a), length(c - b), length(a - c)}); }

}  // namespace

void SamplePoses::choose_playbacks(const Character& character, std::span<const NamedMask> masks) {
  const std::vector<uint32_t> blended = clips_of(character, false), added = clips_of(character, true);
  playbacks_.assign(1, {});
  const size_t clips = std::max<size_t>(character.clips.size(), 1);
  const size_t per_clip = std::clamp(kClipSamples / clips, kMinPerClip, kMaxPerClip);
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    const Clip& clip = character.clips[i];
    const size_t samples = clip.duration_seconds() > 0 ? per_clip : 1;
    for (size_t s = 0; s < samples; ++s)
      playbacks_.push_back({{{i, time_at(clip, (float(s) + 0.5f) / float(samples)), 1}}});
  }
  Random random;
  for (size_t i = 0; i < kBlends && character.clips.size() > 1; ++i) {
    Playback& playback = playbacks_.emplace_back();
    size_t layers = 0;
    if (!blended.empty()) playback.layers[layers++] = random_layer(character, blended, 0, random);
    if (!blended.empty()) playback.layers[layers++] = random_layer(character, blended, masks.size(), random);
    if (!added.empty()) playback.layers[layers++] = random_layer(character, added, masks.size(), random);
  }
  const size_t most = std::max(kMaxMovedVertices / std::max<size_t>(vertex_count_, 1), kMinSamples);
  const size_t stride = (playbacks_.size() + most - 1) / most;
  for (size_t i = 0; i * stride < playbacks_.size(); ++i) playbacks_[i] = playbacks_[i * stride];
  playbacks_.resize((playbacks_.size() + stride - 1) / stride);
}

Status SamplePoses::evaluate(const Character& character, std::span<const NamedMask> masks) {
  std::vector<std::vector<float>> factors;
  for (const NamedMask& mask : masks) factors.push_back(mask.factors);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  std::vector<Vec3> normals(vertex_count_);
  EvaluationScratch scratch;
  positions_.resize(count() * vertex_count_), weights_.resize(count() * target_count_);
  for (uint32_t pose = 0; pose < count(); ++pose) {
    const std::span<const Playback> playback(&playbacks_[pose], 1);
    const uint32_t entries = uint32_t(palette.size()), targets = uint32_t(target_count_);
    if (Status status = evaluate_exact(character, playback, entries, palette, scratch, factors); !status) return status;
    const auto weights = std::span(weights_).subspan(pose * target_count_, target_count_);
    if (Status status = evaluate_weights_exact(character, playback, targets, weights); !status) return status;
    joints_.insert(joints_.end(), scratch.model_from_joint.begin(), scratch.model_from_joint.end());
    skin_on_cpu(character.mesh, palette, std::span(positions_).subspan(pose * vertex_count_, vertex_count_), normals,
                {}, weights);
  }
  return {};
}

Result<SamplePoses> SamplePoses::make(const Character& character, std::span<const NamedMask> masks) {
  SamplePoses poses;
  poses.joint_count_ = character.skeleton.joint_count();
  poses.vertex_count_ = character.mesh.vertex_count(), poses.target_count_ = character.mesh.target_count();
  poses.choose_playbacks(character, masks);
  if (Status status = poses.evaluate(character, masks); !status) return status.error();
  return poses;
}

/// Of each joint: where its parent's axes lie in its own, which is what a joint bends.
std::vector<uint32_t> SamplePoses::most_different(const Skeleton& skeleton, size_t max_count) const {
  const auto axis = [](const Matrix3x4d& m, int c) {
    return normalize(Vec3{float(m.m[0][c]), float(m.m[1][c]), float(m.m[2][c])}, {});
  };
  const auto bend = [&](uint32_t a, uint32_t b) {
    float widest = 0;
    for (uint32_t joint = 0; joint < joint_count_; ++joint) {
      if (skeleton.parents[joint] < 0) continue;
      const size_t parent = size_t(skeleton.parents[joint]);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const float in_a = dot(axis(joints(a)[joint], i), axis(joints(a)[parent], j));
          const float in_b = dot(axis(joints(b)[joint], i), axis(joints(b)[parent], j));
          widest = std::max(widest, std::abs(in_a - in_b));
        }
      }
    }
    return widest;
  };
  std::vector<uint32_t> chosen{kRest};
  std::vector<float> nearest(count(), INFINITY);
  while (chosen.size() < std::min<size_t>(max_count, count())) {
    for (uint32_t pose = 0; pose < count(); ++pose) nearest[pose] = std::min(nearest[pose], bend(pose, chosen.back()));
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (*farthest <= 0) break;
    chosen.push_back(uint32_t(farthest - nearest.begin()));
  }
  return chosen;
}

std::vector<Matrix3x4> SamplePoses::palette(const Skin& skin, uint32_t pose) const {
  std::vector<Matrix3x4> palette(skin.palette_size());
  build_palette(skin, joints(pose), palette);
  return palette;
}

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
