#include "sinew/animation/pose.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "asset/exceptions.h"

namespace sinew {

void build_palette(const Skin& skin, std::span<const Matrix3x4d> model_from_joint, std::span<Matrix3x4> palette) {
  assert(palette.size() == skin.palette_size());
  for (size_t i = 0; i < skin.entries.size(); ++i) {
    const PaletteEntry& entry = skin.entries[i];
    palette[i] =
        matrix_cast<float>(entry.joint == kNoJoint ? entry.joint_from_mesh
                                                   : model_from_joint[size_t(entry.joint)] * entry.joint_from_mesh);
  }
}

namespace {

constexpr double kSameScale = 1e-5;  // of a scale
constexpr double kNotUniform = 0;    // in place of a scale

bool near(double a, double b) { return std::abs(a - b) <= kSameScale * std::max(std::abs(a), std::abs(b)); }

double uniform_scale(Vec3 scale) {
  return scale.x > 0 && near(scale.x, scale.y) && near(scale.x, scale.z) ? scale.x : kNotUniform;
}

/// The columns of a matrix that rotates and scales equally are orthogonal and of equal length.
double uniform_scale(const Matrix3x4d& matrix) {
  const auto dot_of = [&](int a, int b) {
    double sum = 0;
    for (const auto& row : matrix.m) sum += row[a] * row[b];
    return sum;
  };
  const double size = std::sqrt(dot_of(0, 0)), least = kSameScale * size * size;
  const bool equal = near(size, std::sqrt(dot_of(1, 1))) && near(size, std::sqrt(dot_of(2, 2)));
  const bool orthogonal =
      std::abs(dot_of(0, 1)) <= least && std::abs(dot_of(0, 2)) <= least && std::abs(dot_of(1, 2)) <= least;
  return equal && orthogonal && determinant(matrix) > 0 ? size : kNotUniform;
}

/// How one track scales, beside the rest pose. A cubic track may overshoot: only a constant one is known.
PaletteScaling scaling_of(const Track<Vec3>& track, double rest_scale) {
  bool constant = true;
  for (size_t i = 0; i < track.values.size(); ++i) {
    const Vec3 value = track.values[i];
    if (track.interpolation == Interpolation::kCubic && i % 3 != 1) {
      if (value.x != 0 || value.y != 0 || value.z != 0) return PaletteScaling::kAny;
      continue;
    }
    const double scale = uniform_scale(value);
    if (scale == kNotUniform) return PaletteScaling::kAny;
    constant = constant && near(scale, rest_scale);
  }
  return constant ? PaletteScaling::kNone : PaletteScaling::kUniform;
}

/// The scale of each joint in the rest pose, where all joints scale equally in all directions.
std::vector<double> rest_scales(const Skeleton& skeleton) {
  std::vector<double> scales;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    const double above = parent == kNoJoint ? uniform_scale(skeleton.model_from_root) : scales[size_t(parent)];
    scales.push_back(above * double(skeleton.rest_pose[joint].scale.x));
  }
  return scales;
}

}  // namespace

PaletteScaling palette_scaling(const Skeleton& skeleton, const Skin& skin, std::span<const Clip> clips) SINEW_TRY {
  for (const Transform& rest : skeleton.rest_pose) {
    if (uniform_scale(rest.scale) == kNotUniform) return PaletteScaling::kAny;
  }
  PaletteScaling scaling = PaletteScaling::kNone;
  for (const Clip& clip : clips) {
    for (const JointTracks& tracks : clip.tracks)
      scaling = std::max(scaling, scaling_of(tracks.scale, skeleton.rest_pose[tracks.joint].scale.x));
  }
  const std::vector<double> joints = rest_scales(skeleton);
  for (const PaletteEntry& entry : skin.entries) {
    const double above = entry.joint == kNoJoint ? 1 : joints[size_t(entry.joint)];
    const double scale = above * uniform_scale(entry.joint_from_mesh);
    if (scale == kNotUniform) return PaletteScaling::kAny;
    if (!near(scale, 1)) scaling = std::max(scaling, PaletteScaling::kUniform);
  }
  return scaling;
}
SINEW_CATCH_BAD_ALLOC(return PaletteScaling::kAny;)  // holds for every palette

}  // namespace sinew
