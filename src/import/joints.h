// Which nodes of a scene become joints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew {

/// A skeleton, and where each node of the scene stands to it.
struct Joints {
  Skeleton skeleton;
  std::vector<int32_t> joint_of;            // a node's own joint, or its nearest ancestor's; kNoJoint: nothing moves it
  std::vector<Matrix3x4d> joint_from_node;  // to that joint, which never changes; to model space under kNoJoint
  std::vector<Matrix3x4d> model_from_node;  // at rest
};

/// A joint is a node that skins, or that is animated and has one that skins or a mesh at or below it; and every node
/// between two joints or above only some of them. What stands above all of them becomes model_from_root.
Joints choose_joints(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace sinew
