// What baking stores of a joint: its delta relative to the bind pose, decomposed.
#pragma once

#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace sinew {

/// M = [ rotation * scale | translation - rotation * scale * origin ], in double precision until it is quantized.
/// Of an additive clip, what it adds: a rotation on the right, an offset of the translation, a scale to multiply with.
struct JointDelta {
  double rotation[4] = {0, 0, 0, 1};     // x y z w
  double translation[3] = {0, 0, 0};     // where the joint's origin goes
  double scale[6] = {1, 1, 1, 0, 0, 0};  // xx yy zz xy xz yz
};

JointDelta decompose(const Matrix3x4d& delta, Vec3 origin);
Matrix3x4d compose(const JointDelta& delta, Vec3 origin);

/// What plays on top of `base`, whole.
JointDelta add(const JointDelta& base, const JointDelta& additive);

/// What a node's delta is measured from.
struct NodeFrames {
  Matrix3x4d
      model_from_parent;  // B of the parent, the root transform above roots: rotation, uniform scale and translation
  Matrix3x4d frame_from_model;                                                        // inverse(B), likewise
  double parent_rotation[4] = {0, 0, 0, 1}, inverse_bind_rotation[4] = {0, 0, 0, 1};  // the rotations of both
  double scale = 1;                                                                   // the scales of both, multiplied
  Matrix3x4d constant;        // of a node without a joint: its delta...
  JointDelta constant_delta;  // ... decomposed
};

/// How the walk of one character is laid out.
struct BakePlan {
  double scale = 1;  // of the whole: every root's delta is measured after dividing by it
  std::vector<BakedNode> nodes;
  std::vector<NodeFrames> frames;  // of each of them
};

/// Leaves out joints that move no palette entry.
BakePlan plan_bake(const Character& character);

/// The delta of every node in the local pose `pose`.
void compute_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas);

/// The same of a pose of differences, as an additive clip has them.
void compute_additive_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas);

/// The skinning matrix of every node, exactly.
void walk_pose(const BakePlan& plan, std::span<const Transform> pose, std::span<Matrix3x4d> skinning);

/// The same from deltas.
void walk_deltas(const BakePlan& plan, std::span<const JointDelta> deltas, std::span<Matrix3x4d> skinning);

}  // namespace sinew
