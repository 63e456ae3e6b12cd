#include "sinew/animation/pose.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "asset/exceptions.h"

namespace sinew {

using namespace internal;
namespace {

constexpr float kMinWeight = 1e-18f;  // a joint with a smaller sum of weights has no weight

float weight_of(const PoseLayer& layer, size_t joint) {
  return layer.joint_weights.empty() ? layer.weight : layer.weight * layer.joint_weights[joint];
}

/// The pose of a joint for which no layer has weight: the first layer with any weight, or the rest pose.
Transform without_weight(std::span<const PoseLayer> layers, const Transform& rest, size_t joint) {
  for (const PoseLayer& layer : layers) {
    if (layer.weight > 0) return layer.pose[joint];
  }
  return rest;
}

Transform blend_joint(std::span<const PoseLayer> layers, const Transform& rest, size_t joint) {
  Vec3 translation, scale;
  Quat rotation{0, 0, 0, 0}, first;
  float sum = 0;
  for (const PoseLayer& layer : layers) {
    const float weight = weight_of(layer, joint);
    if (!(weight > 0)) continue;
    const Transform& local = layer.pose[joint];
    if (sum == 0) first = local.rotation;
    const float signed_weight = dot(first, local.rotation) < 0 ? -weight : weight;
    translation = translation + local.translation * weight;
    scale = scale + local.scale * weight;
    rotation = {rotation.x + local.rotation.x * signed_weight, rotation.y + local.rotation.y * signed_weight,
                rotation.z + local.rotation.z * signed_weight, rotation.w + local.rotation.w * signed_weight};
    sum += weight;
  }
  if (sum < kMinWeight) return without_weight(layers, rest, joint);
  return {translation * (1 / sum), normalize(rotation), scale * (1 / sum)};
}

Transform add_joint(const Transform& base, const Transform& difference, float weight) {
  const auto scaled = [&](float scale, float factor) { return scale * (1 + weight * (factor - 1)); };
  const float signed_weight = difference.rotation.w < 0 ? -weight : weight;
  const Quat q = difference.rotation,
             partial{q.x * signed_weight, q.y * signed_weight, q.z * signed_weight, q.w * signed_weight + (1 - weight)};
  return {base.translation + difference.translation * weight,
          normalize(base.rotation * partial),
          {scaled(base.scale.x, difference.scale.x), scaled(base.scale.y, difference.scale.y),
           scaled(base.scale.z, difference.scale.z)}};
}

Vec3 ratio(Vec3 a, Vec3 b) {
  const auto of = [](float x, float y) { return y == 0 ? 1 : x / y; };
  return {of(a.x, b.x), of(a.y, b.y), of(a.z, b.z)};
}

/// Replaces each value of a track by its difference. A track without keys gets one key, the difference of `rest`.
template <class Value, class Difference>
void subtract(Track<Value>& track, const Value& rest, float start_seconds, Difference difference) {
  if (track.values.empty()) track = {{start_seconds}, {rest}, Interpolation::kStep};
  const bool cubic = track.interpolation == Interpolation::kCubic;
  for (size_t i = 0; i < track.values.size(); ++i) {
    track.values[i] = difference(track.values[i], cubic && i % 3 != 1);
  }
}

/// Replaces `tracks` by differences from `reference`. Cubic tangents are derivatives: no offset is subtracted.
void subtract(JointTracks& tracks, const Transform& rest, const Transform& reference, float start_seconds) {
  const Quat q = reference.rotation, back{-q.x, -q.y, -q.z, q.w};
  subtract(tracks.translation, rest.translation, start_seconds,
           [&](Vec3 t, bool tangent) { return tangent ? t : t - reference.translation; });
  subtract(tracks.rotation, rest.rotation, start_seconds,
           [&](Quat r, bool tangent) { return tangent ? back * r : normalize(back * r); });
  subtract(tracks.scale, rest.scale, start_seconds, [&](Vec3 s, bool tangent) {
    return tangent ? Vec3{reference.scale.x == 0 ? 0 : s.x / reference.scale.x,
                          reference.scale.y == 0 ? 0 : s.y / reference.scale.y,
                          reference.scale.z == 0 ? 0 : s.z / reference.scale.z}
                   : ratio(s, reference.scale);
  });
}

bool same(const Transform& a, const Transform& b) {
  return length(a.translation - b.translation) == 0 && length(a.scale - b.scale) == 0 && a.rotation.x == b.rotation.x &&
         a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z && a.rotation.w == b.rotation.w;
}

}  // namespace

void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose, std::span<Transform> pose) {
  assert(rest_pose.size() == pose.size());
  for (size_t joint = 0; joint < pose.size(); ++joint) pose[joint] = blend_joint(layers, rest_pose[joint], joint);
}

void add_pose(const PoseLayer& layer, std::span<Transform> pose) {
  assert(layer.pose.size() == pose.size());
  for (size_t joint = 0; joint < pose.size(); ++joint) {
    pose[joint] = add_joint(pose[joint], layer.pose[joint], std::min(weight_of(layer, joint), 1.0f));
  }
}

Result<Clip> make_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference,
                           std::span<const float> reference_weights) SINEW_TRY {
  const auto refuse = [&](const char* why) {
    return Error{ErrorCode::kInvalidArgument, "clip '" + clip.name + "' cannot be made additive: " + why};
  };
  if (clip.additive) return refuse("it is already");
  if (reference.size() != skeleton.joint_count()) return refuse("the reference pose is of another skeleton");
  const size_t targets = reference_weights.empty() ? UINT32_MAX : reference_weights.size();
  if (Status status = validate(clip, skeleton.joint_count(), uint32_t(targets)); !status) return status.error();
  Clip result{clip.name, clip.start_seconds, clip.end_seconds, {}, true, clip.weights, clip.markers};
  for (WeightTrack& track : result.weights) {
    const float reference_weight = reference_weights.empty() ? 0 : reference_weights[track.target];
    const bool cubic = track.weight.interpolation == Interpolation::kCubic;
    for (size_t i = 0; i < track.weight.values.size(); ++i) {
      if (!cubic || i % 3 == 1) track.weight.values[i] -= reference_weight;
    }
  }
  size_t next = 0;
  for (uint32_t joint = 0; joint < reference.size(); ++joint) {
    JointTracks tracks;
    tracks.joint = joint;
    const bool animated = next < clip.tracks.size() && clip.tracks[next].joint == joint;
    if (animated) tracks = clip.tracks[next++];
    if (!animated && same(reference[joint], skeleton.rest_pose[joint])) continue;
    subtract(tracks, skeleton.rest_pose[joint], reference[joint], clip.start_seconds);
    result.tracks.push_back(std::move(tracks));
  }
  return result;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
