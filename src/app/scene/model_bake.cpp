#include "scene/model_bake.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/exact_poses.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::app {
namespace {

constexpr double kReferenceExtent = 1.8;  // meters; see BakeOptions

double largest_extent(std::span<const Vec3> positions) {
  if (positions.empty()) return 0;
  const Box box = bounding_box(positions);
  return std::max({double(box.high.x) - double(box.low.x), double(box.high.y) - double(box.low.y),
                   double(box.high.z) - double(box.low.z)});
}

/// The largest scale of a matrix: its longest column. 1 where all columns are zero.
double max_scale_of(const Matrix3x4& matrix) {
  double scale = 0;
  for (int c = 0; c < 3; ++c)
    scale = std::max(scale, std::hypot(double(matrix.m[0][c]), double(matrix.m[1][c]), double(matrix.m[2][c])));
  return scale > 0 ? scale : 1;
}

std::array<Vec3, 6> corners_around(Vec3 origin, float radius) {
  return {origin + Vec3{radius, 0, 0}, origin - Vec3{radius, 0, 0}, origin + Vec3{0, radius, 0},
          origin - Vec3{0, radius, 0}, origin + Vec3{0, 0, radius}, origin - Vec3{0, 0, radius}};
}

bool differ(Vec3 a, Vec3 b) { return a.x != b.x || a.y != b.y || a.z != b.z; }
bool differ(Quat a, Quat b) { return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w; }

/// Whether the value of a track is discontinuous somewhere between two times: at a step, or at two keys of one time.
template <class Value>
bool jumps(const Track<Value>& track, double from, double to) {
  const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1, value = stride / 2;
  for (size_t i = 1; i < track.times_seconds.size(); ++i) {
    const float time = track.times_seconds[i];
    if (time < from || time > to) continue;
    const bool at_once = track.interpolation == Interpolation::kStep || time == track.times_seconds[i - 1];
    if (at_once && differ(track.values[i * stride + value], track.values[(i - 1) * stride + value])) return true;
  }
  return false;
}

/// Whether a clip is discontinuous within the baked frame that contains a time.
bool jumps(const Clip& clip, const BakedClip& baked, double time_seconds) {
  const double frame = std::floor((time_seconds - baked.start_seconds) * baked.frames_per_second);
  const double slack = 0.01;  // of a frame, because times are floats
  const double from = baked.start_seconds + (frame - slack) / baked.frames_per_second;
  const double to = baked.start_seconds + (frame + 1 + slack) / baked.frames_per_second;
  return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const JointTracks& joint) {
    return jumps(joint.translation, from, to) || jumps(joint.rotation, from, to) || jumps(joint.scale, from, to);
  });
}

}  // namespace

double error_of(const BakedCharacter& baked) {
  float error = 0;
  for (const BakedClip& clip : baked.clips) error = std::max(error, clip.error);
  return error;
}

BakeMeasure measure_of(const Character& character, const Skin& skin, const BakedCharacter& baked) {
  BakeMeasure measure;
  const std::vector<Matrix3x4> rest = exact_palette(character, skin, Playback());
  const double extent = largest_extent(exact_positions(character, Playback()));
  measure.units_per_meter = extent > 0 ? extent / kReferenceExtent : 1;
  measure.corners.resize(rest.size());
  for (const BakedNode& node : baked.nodes) {
    if (node.entry < 0) continue;
    const double radius = baked.options.error_radius * measure.units_per_meter / max_scale_of(rest[size_t(node.entry)]);
    measure.corners[size_t(node.entry)] = corners_around(node.origin, float(radius));
  }
  return measure;
}

std::optional<double> allowed_error(const Character& character, const BakedCharacter& bake, const Playback& playback) {
  double error = bake.options.max_error;
  uint32_t played = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= bake.clips.size()) continue;
    const BakedClip& baked = bake.clips[layer.clip];
    if (jumps(character.clips[layer.clip], baked, layer.time_seconds)) return {};
    error = std::max(error, double(baked.error));
    ++played;
  }
  return (played < 2 ? error : error * kBlendGain) + kFloatSums;
}

double distance_between(const BakeMeasure& measure, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double largest = 0;
  for (size_t entry = 0; entry < measure.corners.size(); ++entry) {
    Matrix3x4d difference;
    for (int i = 0; i < 12; ++i)
      difference.m[i / 4][i % 4] = double(a[entry].m[i / 4][i % 4]) - b[entry].m[i / 4][i % 4];
    for (const Vec3 corner : measure.corners[entry]) {
      const double distance = length(transform_point(difference, corner));
      if (std::isnan(distance)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, distance);
    }
  }
  return largest / measure.units_per_meter;
}

}  // namespace sinew::app
