#include "joints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace sinew::internal {
namespace {

bool has_keys(const SceneTracks& tracks) {
  return !tracks.translation.values.empty() || !tracks.rotation.values.empty() || !tracks.scale.values.empty();
}

/// For each node, the sum of `values` over the node and its descendants. Parents come before their children.
std::vector<uint32_t> sums_of_subtrees(const Scene& scene, std::vector<uint32_t> values) {
  for (size_t node = scene.nodes.size(); node-- > 0;) {
    if (const int32_t parent = scene.nodes[node].parent; parent >= 0) values[size_t(parent)] += values[node];
  }
  return values;
}

/// 1 for each node that a skin names, or that a clip animates with a mesh or a skin's node at or below it. In a scene
/// without meshes, 1 for each animated node.
std::vector<uint32_t> moving_nodes(const Scene& scene) {
  std::vector<uint32_t> moving(scene.nodes.size()), relevant(scene.nodes.size(), scene.uses.empty());
  for (const SceneMeshUse& use : scene.uses) {
    if (use.skin < 0) {
      relevant[use.node] = 1;
      continue;
    }
    for (const uint32_t node : scene.skins[size_t(use.skin)].nodes) moving[node] = relevant[node] = 1;
  }
  relevant = sums_of_subtrees(scene, std::move(relevant));
  for (const SceneClip& clip : scene.clips) {
    for (const SceneTracks& tracks : clip.tracks) {
      if (has_keys(tracks) && relevant[tracks.node] > 0) moving[tracks.node] = 1;
    }
  }
  return moving;
}

/// True if the node's matrix has shear, which the rest pose's T * R * S cannot hold.
bool is_sheared(const SceneNode& node) {
  const Matrix3x4d rest = to_matrix(node.rest);
  double largest = 0, difference = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      largest = std::max(largest, std::abs(rest.m[row][column]));
      difference = std::max(difference, std::abs(rest.m[row][column] - node.parent_from_node.m[row][column]));
    }
  }
  return difference > 1e-4 * largest;
}

void add_joint(const SceneNode& node, int32_t parent, Skeleton& skeleton) {
  skeleton.joint_names.push_back(node.name);
  skeleton.parents.push_back(parent);
  skeleton.rest_pose.push_back(node.rest);
}

/// Warns of duplicate names: clips of other files are matched by joint name, and masks are made by joint name.
void warn_of_duplicate_names(const Skeleton& skeleton, std::vector<std::string>& warnings) {
  std::map<std::string_view, uint32_t> counts;
  for (const std::string& name : skeleton.joint_names) ++counts[name];
  for (const auto& [name, count] : counts) {
    if (count < 2 || name.empty()) continue;
    warnings.push_back(std::to_string(count) + " joints are named '" + std::string(name) +
                       "': by name the first of them is found");
  }
}

}  // namespace

Joints choose_joints(const Scene& scene, std::vector<std::string>& warnings) {
  const std::vector<uint32_t> moving = moving_nodes(scene);
  const std::vector<uint32_t> moving_below = sums_of_subtrees(scene, moving);
  uint32_t all_moving = 0;
  for (const uint32_t one : moving) all_moving += one;

  Joints joints;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& node = scene.nodes[i];
    const bool root = node.parent < 0;
    const int32_t parent = root ? kNoJoint : joints.joint_of[size_t(node.parent)];
    const Matrix3x4d model_from_parent = root ? Matrix3x4d{} : joints.model_from_node[size_t(node.parent)];
    const Matrix3x4d joint_from_parent = root ? Matrix3x4d{} : joints.joint_from_node[size_t(node.parent)];
    joints.model_from_node.push_back(model_from_parent * node.parent_from_node);

    const bool above_only_some = moving_below[i] < all_moving;  // true below a joint too: covers nodes between joints
    if (moving_below[i] == 0 || !(moving[i] || above_only_some)) {
      joints.joint_of.push_back(parent);
      joints.joint_from_node.push_back(joint_from_parent * node.parent_from_node);
      continue;
    }
    if (parent == kNoJoint) joints.skeleton.model_from_root = model_from_parent;
    if (is_sheared(node)) warnings.push_back("joint '" + node.name + "': the shear of its rest pose is lost");
    joints.joint_of.push_back(int32_t(joints.skeleton.joint_count()));
    joints.joint_from_node.push_back({});
    add_joint(node, parent, joints.skeleton);
  }
  warn_of_duplicate_names(joints.skeleton, warnings);
  return joints;
}

}  // namespace sinew::internal
