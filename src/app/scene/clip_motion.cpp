#include "scene/clip_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scene/exact_poses.h"
#include "scene/names.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr float kClipSamplesPerSecond = 60;              // of a clip
constexpr uint32_t kMinSamples = 16, kMaxSamples = 240;  // of a clip
constexpr float kTouching = 0.015f;                      // meters above the lowest vertex, of a person
constexpr float kSlowest = 0.3f;                         // meters per second, of a person: slower clips do not walk
constexpr float kNearMedian = 0.4f;                      // share of the speed
constexpr float kSteadyShare = 0.6f;                     // of the vertices that touch the ground
constexpr float kNoMotion = 0.1f;                        // share of the whole motion: measured, but none
constexpr uint32_t kMaxMeasuredClips = 24;

/// Vertex positions at equal steps of a clip, from its first frame to its last. Upright, in meters.
std::vector<std::vector<Vec3>> sample_positions(const Model& model, uint32_t index) {
  const Clip& clip = model.character.clips[index];
  const float wanted = std::ceil(clip.duration_seconds() * kClipSamplesPerSecond);
  const uint32_t steps = uint32_t(std::clamp(wanted, float(kMinSamples), float(kMaxSamples)));
  std::vector<std::vector<Vec3>> samples;
  for (uint32_t i = 0; i <= steps; ++i) {
    const float time = clip.start_seconds + clip.duration_seconds() * float(i) / float(steps);
    samples.push_back(exact_positions(model.character, Playback::of(index, time)));
    for (Vec3& position : samples.back()) position = transform_point(model.world_from_model, position);
  }
  return samples;
}

float lowest_of(std::span<const std::vector<Vec3>> samples) {
  float lowest = std::numeric_limits<float>::max();
  for (const auto& positions : samples) {
    for (const Vec3 position : positions) lowest = std::min(lowest, position.y);
  }
  return lowest;
}

Vec3 on_ground(Vec3 vector) { return {vector.x, 0, vector.z}; }

/// Of the vertices that touch the ground in two samples that follow one another.
std::vector<Vec3> planted_velocities(std::span<const std::vector<Vec3>> samples, float touching, float step_seconds) {
  const float limit = lowest_of(samples) + touching;
  std::vector<Vec3> velocities;
  for (size_t i = 1; i < samples.size(); ++i) {
    for (size_t v = 0; v < samples[i].size(); ++v) {
      const Vec3 before = samples[i - 1][v], now = samples[i][v];
      if (before.y <= limit && now.y <= limit) velocities.push_back(on_ground(now - before) * (1 / step_seconds));
    }
  }
  return velocities;
}

float median(std::span<const Vec3> vectors, float Vec3::*axis) {
  std::vector<float> values;
  for (const Vec3& vector : vectors) values.push_back(vector.*axis);
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Vec3 mean_displacement(std::span<const Vec3> from, std::span<const Vec3> to) {
  double x = 0, z = 0;
  for (size_t v = 0; v < from.size(); ++v) x += double(to[v].x) - from[v].x, z += double(to[v].z) - from[v].z;
  return {float(x / double(from.size())), 0, float(z / double(from.size()))};
}

/// Clips with the name of a gait; all where there are none.
std::vector<uint32_t> likely_clips(const Model& model) {
  std::vector<uint32_t> named = model.clips;
  std::erase_if(named, [&](uint32_t clip) { return !has_word(model.character.clips[clip].name, kGaitWords); });
  if (named.empty()) named = model.clips;
  if (named.size() > kMaxMeasuredClips) named.resize(kMaxMeasuredClips);
  return named;
}

constexpr float kMovingShare = 0.05f;  // of the skeleton's size: hips swing by less in a step on the spot

float size_of_joints(const std::vector<Matrix3x4d>& model_from_joint) {
  Box box = kEmptyBox;
  for (const Matrix3x4d& matrix : model_from_joint) include(box, transform_point(matrix_cast<float>(matrix), {}));
  return model_from_joint.empty() ? 0 : length(size_of(box));
}

/// How far the keys of a track get from the first over the ground, in model space.
float ground_distance(const Track<Vec3>& track, const Matrix3x4d& model_from_parent, Vec3 up) {
  const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1;  // a value lies between its tangents
  const auto position = [&](size_t key) {
    const Vec3 in_model = transform_point(model_from_parent, track.values[key * stride + stride / 2]);
    return in_model - up * dot(in_model, up);
  };
  float distance = 0;
  for (size_t key = 1; key < track.times_seconds.size(); ++key)
    distance = std::max(distance, length(position(key) - position(0)));
  return distance;
}

/// Whether at least half of the palette follows a joint. A foot moves over the ground too, and so does a control for
/// one, which exporters keep as a joint.
bool carries_most(const Character& character, uint32_t joint) {
  const JointRange carried = joints_below(character.skeleton, int32_t(joint));
  const auto follows = [&](const PaletteEntry& entry) {
    return entry.joint != kNoJoint && carried.contains(uint32_t(entry.joint));
  };
  const auto& entries = character.skin.entries;
  return size_t(std::count_if(entries.begin(), entries.end(), follows)) * 2 >= entries.size();
}

constexpr float kUpperBody = 0.6f;  // share of the height above which there is only head, chest and arms
constexpr float kColumn = 0.06f;    // share of the height: half the depth of the body above the seat
constexpr float kLowestSeat = 0.15f, kHighestSeat = 0.5f;  // share of the height of a seated person

}  // namespace

std::optional<ClipMotion> measure_clip_motion(const Model& model, uint32_t index) {
  const float duration = model.character.clips[index].duration_seconds();
  if (!(duration > 0) || model.character.mesh.vertex_count() == 0) return {};
  const float size = model.height / kPersonHeight;
  const auto samples = sample_positions(model, index);
  const auto planted = planted_velocities(samples, kTouching * size, duration / float(samples.size() - 1));
  if (planted.empty()) return {};
  const Vec3 slide{median(planted, &Vec3::x), 0, median(planted, &Vec3::z)};
  ClipMotion motion;
  motion.in_clip = mean_displacement(samples.front(), samples.back());
  motion.velocity = motion.in_clip * (1 / duration) - slide;
  const float speed = motion.speed();
  if (!(speed >= kSlowest * size)) return {};
  const auto steady = std::count_if(planted.begin(), planted.end(),
                                    [&](Vec3 velocity) { return length(velocity - slide) <= kNearMedian * speed; });
  if (float(steady) < kSteadyShare * float(planted.size())) return {};
  if (length(slide) < kNoMotion * speed) motion.velocity = motion.in_clip * (1 / duration);
  if (length(motion.in_clip) < kNoMotion * speed * duration) motion = {slide * -1, {}};
  return motion;
}

std::optional<WalkingClip> find_walking_clip(const Model& model, float meters_per_second) {
  const float wanted = meters_per_second * model.height / kPersonHeight;
  std::optional<WalkingClip> best;
  float best_cost = std::numeric_limits<float>::max();
  for (const uint32_t clip : likely_clips(model)) {
    const auto motion = measure_clip_motion(model, clip);
    if (!motion) continue;
    const bool forward = motion->velocity.z > 0.8f * motion->speed();
    const float cost = std::abs(std::log(motion->speed() / wanted)) + (forward ? 0.0f : 10.0f);
    if (cost < best_cost) best = WalkingClip{clip, *motion}, best_cost = cost;
  }
  return best;
}

MovedRoot find_moved_root(const Character& character, uint32_t clip) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count());
  walk_hierarchy(skeleton, skeleton.rest_pose, model_from_joint);
  const float threshold = kMovingShare * size_of_joints(model_from_joint);
  for (const JointTracks& tracks : character.clips[clip].tracks) {
    if (!carries_most(character, tracks.joint)) continue;
    const int32_t parent = skeleton.parents[tracks.joint];
    const Matrix3x4d& model_from_parent =
        parent == kNoJoint ? skeleton.model_from_root : model_from_joint[size_t(parent)];
    const float distance = ground_distance(tracks.translation, model_from_parent, normalize(character.space.up));
    if (distance > threshold) return {tracks.joint, distance};
  }
  return {};
}

std::optional<Seat> measure_seat(const Model& model, uint32_t clip) {
  constexpr float kNone = std::numeric_limits<float>::max();
  const float start_seconds = model.character.clips[clip].start_seconds;
  std::vector<Vec3> positions = exact_positions(model.character, Playback::of(clip, start_seconds));
  float top = -kNone, bottom = kNone;
  for (Vec3& position : positions) {
    position = transform_point(model.world_from_model, position);
    top = std::max(top, position.y), bottom = std::min(bottom, position.y);
  }
  const float size = top - bottom;
  double middle = 0;
  size_t above = 0;
  for (const Vec3 position : positions) {
    if (position.y > bottom + kUpperBody * size) middle += position.z, ++above;
  }
  if (above == 0) return {};
  Seat seat{kNone, bottom, float(middle / double(above))};
  for (const Vec3 position : positions) {
    if (std::abs(position.z - seat.middle) < kColumn * size) seat.height = std::min(seat.height, position.y - bottom);
  }
  if (seat.height < kLowestSeat * size || seat.height > kHighestSeat * size) return {};
  return seat;
}

}  // namespace sinew::app
