#include "sinew/animation/pose.h"

#include <cassert>

namespace sinew {

void walk_hierarchy(const Skeleton& skeleton, std::span<const Transform> pose, std::span<Matrix3x4d> model_from_joint) {
  assert(pose.size() == skeleton.joint_count() && model_from_joint.size() == skeleton.joint_count());
  for (size_t joint = 0; joint < pose.size(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    const Matrix3x4d& model_from_parent =
        parent == kNoJoint ? skeleton.model_from_root : model_from_joint[size_t(parent)];
    model_from_joint[joint] = model_from_parent * to_matrix(pose[joint]);
  }
}

}  // namespace sinew
