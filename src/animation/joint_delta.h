// What a bake stores of a joint: the joint delta, which is the motion relative to the bind pose, decomposed.
#pragma once

#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

// Quaternions in double precision, as plain arrays: x y z w.

inline double dot(const double (&a)[4], const double (&b)[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// M = [ rotation * scale | translation - rotation * scale * origin ], in double precision until it is quantized.
/// `origin` is BakedNode::origin. The delta of an additive clip is a difference: a rotation that is multiplied on the
/// right, an offset that is added to the translation, and a scale that is multiplied.
struct JointDelta {
  double rotation[4] = {0, 0, 0, 1};     // x y z w
  double translation[3] = {0, 0, 0};     // the position that M moves `origin` to
  double scale[6] = {1, 1, 1, 0, 0, 0};  // a symmetric matrix: xx yy zz xy xz yz
};

/// Splits a matrix M by polar decomposition. A flat matrix has several rotations; the result has one of them.
JointDelta decompose(const Matrix3x4d& delta, Vec3 origin);

/// The matrix M of a delta. The quaternion may have any length but 0.
Matrix3x4d compose(const JointDelta& delta, Vec3 origin);

/// Adds the delta of an additive clip to `base`, with full weight.
JointDelta add(const JointDelta& base, const JointDelta& additive);

/// The two coordinate frames between which a node's delta is measured.
struct NodeSpaces {
  /// The parent's bind pose B; of a root, the root transform. Both matrices: rotation, uniform scale and translation.
  Matrix3x4d model_from_parent;
  Matrix3x4d frame_from_model;  // inverse(B) of the node
  /// The rotations of both matrices, and their scales multiplied.
  double parent_rotation[4] = {0, 0, 0, 1}, inverse_bind_rotation[4] = {0, 0, 0, 1};
  double scale = 1;
  Matrix3x4d constant;        // of a node without a joint: its constant delta
  JointDelta constant_delta;  // the same, decomposed
};

/// A joint without a node: its motion is folded into the nodes below it.
struct FoldedJoint {
  uint32_t joint = 0;
  NodeSpaces spaces;
};

/// The hierarchy walk of one character.
struct BakePlan {
  double scale = 1;  // of the character: the deltas of all roots are divided by it
  std::vector<BakedNode> nodes;
  std::vector<NodeSpaces> frames;                // of each node
  std::vector<std::vector<FoldedJoint>> folded;  // of each node: between its parent and its joint, the uppermost first
  std::vector<Transform> rest_pose;              // of the skeleton
};

/// Plans the walk for the palette of `skin`. Leaves out joints that move no palette entry. `fold`: only joints with an
/// entry become nodes; what is above them is folded into their deltas.
BakePlan plan_bake(const Character& character, const Skin& skin, bool fold);

/// Writes the delta of each node. `pose`: joint_count local transforms; `deltas`: one for each node of the plan.
void compute_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas);

/// The same for a pose of differences, which is what sample_clip() gives for an additive clip. Differences of a node
/// with folded joints are those from the rest pose.
void compute_additive_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas);

/// Writes the exact skinning matrix of each node, from mesh space to model space.
void walk_pose(const BakePlan& plan, std::span<const Transform> pose, std::span<Matrix3x4d> skinning);

/// The same from the deltas of the nodes.
void walk_deltas(const BakePlan& plan, std::span<const JointDelta> deltas, std::span<Matrix3x4d> skinning);

}  // namespace sinew::internal
