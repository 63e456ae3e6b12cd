#include "sinew/blend.h"

#include <cassert>

namespace sinew {
namespace {

float weight_of(const PoseLayer& layer, size_t joint) {
  return layer.joint_weights.empty() ? layer.weight : layer.weight * layer.joint_weights[joint];
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
  if (sum == 0) return rest;
  return {translation * (1 / sum), normalize(rotation), scale * (1 / sum)};
}

}  // namespace

void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose, std::span<Transform> pose) {
  assert(rest_pose.size() == pose.size());
  for (size_t joint = 0; joint < pose.size(); ++joint) pose[joint] = blend_joint(layers, rest_pose[joint], joint);
}

}  // namespace sinew
