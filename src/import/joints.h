// The choice of the nodes of a scene that become joints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// A skeleton, and how each node of the scene relates to it. The vectors have one element per node.
struct Joints {
  Skeleton skeleton;
  std::vector<int32_t> joint_of;  // the node's joint, else its nearest ancestor's; kNoJoint: no joint moves it
  std::vector<Matrix3x4d> joint_from_node;  // constant, to the space of that joint; to model space if kNoJoint
  std::vector<Matrix3x4d> model_from_node;  // in the rest pose
};

/// A node becomes a joint if the skin of a mesh names it, or if a clip animates it and a mesh or such a node is at or
/// below it. Every node between two joints becomes a joint too, and every ancestor of some but not all joints. The
/// transform of the ancestors of all joints becomes model_from_root. Without any mesh, every animated node is a joint.
Joints choose_joints(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace sinew::internal
