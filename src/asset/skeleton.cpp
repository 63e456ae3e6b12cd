#include "sinew/asset/skeleton.h"

#include <unordered_map>

#include "error.h"
#include "exceptions.h"

namespace sinew {

using namespace internal;

std::optional<uint32_t> find_joint(const Skeleton& skeleton, std::string_view name) {
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.joint_names[joint] == name) return joint;
  }
  return std::nullopt;
}

Result<std::vector<int32_t>> match_joints(const Skeleton& skeleton, std::span<const std::string> names) SINEW_TRY {
  std::unordered_map<std::string_view, int32_t> joints;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint)
    joints.try_emplace(skeleton.joint_names[joint], int32_t(joint));  // of equal names the first counts
  std::vector<int32_t> matched;
  for (const std::string& name : names) {
    const auto found = joints.find(name);
    matched.push_back(found == joints.end() ? kNoJoint : found->second);
  }
  return matched;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const Skeleton& skeleton) SINEW_TRY {
  const uint32_t count = skeleton.joint_count();
  if (skeleton.joint_names.size() != count || skeleton.rest_pose.size() != count) {
    return invalid("skeleton: names, parents and rest pose differ in length");
  }
  if (!skeleton.humanoid_names.empty() && skeleton.humanoid_names.size() != count) {
    return invalid("skeleton: it has " + std::to_string(skeleton.humanoid_names.size()) + " humanoid names for " +
                   std::to_string(count) + " joints");
  }
  if (!is_finite(skeleton.model_from_root)) return invalid("skeleton: the root transform is not finite");

  std::vector<uint32_t> ancestors;  // the previous joint and its ancestors; the parent must be one of them
  for (uint32_t joint = 0; joint < count; ++joint) {
    const int32_t parent = skeleton.parents[joint];
    while (!ancestors.empty() && int32_t(ancestors.back()) != parent) ancestors.pop_back();
    if (parent != kNoJoint && ancestors.empty()) {
      return invalid("skeleton: joint '" + skeleton.joint_names[joint] + "' is not in depth-first order");
    }
    ancestors.push_back(joint);
    const Transform& rest = skeleton.rest_pose[joint];
    if (!is_finite(rest.translation) || !is_finite(rest.rotation) || !is_finite(rest.scale)) {
      return invalid("skeleton: the rest pose of joint '" + skeleton.joint_names[joint] + "' is not finite");
    }
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
