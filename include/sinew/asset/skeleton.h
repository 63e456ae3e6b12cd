// The skeleton: joints, each after its parent, and the rest pose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// The value of a joint's index that means: no joint.
inline constexpr int32_t kNoJoint = -1;

/// Joints in depth-first order: `parents[j] < j`, and the descendants of a joint follow it without a gap. Each vector
/// has one element per joint, but for `humanoid_names`.
struct Skeleton {
  std::vector<std::string> joint_names;  // as in the file; names may repeat
  std::vector<int32_t> parents;          // index of the parent joint; kNoJoint for a root
  std::vector<Transform> rest_pose;      // local space: relative to the parent
  Matrix3x4d model_from_root;            // constant transform above every root: units, up axis, armature
  // VRM: the human bone of each joint by its name in VRM 1, such as "hips"; "" for other joints. Empty: the file has
  // none.
  std::vector<std::string> humanoid_names = {};

  uint32_t joint_count() const { return uint32_t(parents.size()); }
  bool operator==(const Skeleton&) const = default;
};

/// The largest factor of a mask.
inline constexpr float kMaxMaskFactor = 1e6f;

/// A mask with a name: one factor per joint, that weights of layers are multiplied by. Its number in Layer::mask is its
/// index in Model::masks plus 1.
struct NamedMask {
  std::string name;
  std::vector<float> factors;
  bool operator==(const NamedMask&) const = default;
};

/// The index of the first joint with that name, or nothing. Compares names one by one.
SINEW_API std::optional<uint32_t> find_joint(const Skeleton& skeleton, std::string_view name);

/// For each of `names`, which may be another program's list of joints: the index of the first joint with that name;
/// kNoJoint if there is none. Palettes have the order of Skin::entries, not that of joints. Error: kOutOfMemory.
SINEW_API Result<std::vector<int32_t>> match_joints(const Skeleton& skeleton, std::span<const std::string> names);

/// Checks that sizes agree, joints are in depth-first order and every value is finite. Errors: kInvalidData with the
/// joint's name in the message, kOutOfMemory.
SINEW_API Status validate(const Skeleton& skeleton);

}  // namespace sinew
