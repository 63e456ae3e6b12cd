// The skeleton: joints, parents before children, and the pose they rest in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

inline constexpr int32_t kNoJoint = -1;

/// Joints in depth-first order: `parents[j] < j`, and a joint's descendants follow it without a gap.
struct Skeleton {
  std::vector<std::string> joint_names;  // as in the file; not necessarily distinct
  std::vector<int32_t> parents;          // kNoJoint at a root
  std::vector<Transform> rest_pose;      // local space: relative to the parent
  Matrix3x4d model_from_root;            // what stands above every root and never moves: unit, up axis, armature node

  uint32_t joint_count() const { return uint32_t(parents.size()); }
};

/// The first joint of that name.
std::optional<uint32_t> find_joint(const Skeleton& skeleton, std::string_view name);

/// Sizes agree, joints are in depth-first order, every number is finite. The message names the joint.
Status validate(const Skeleton& skeleton);

}  // namespace sinew
