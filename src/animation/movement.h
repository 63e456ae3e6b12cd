// What baking stores of a joint: its movement relative to the bind pose, taken apart.
#pragma once

#include <vector>

#include "sinew/bake.h"
#include "sinew/character.h"
#include "sinew/math.h"

namespace sinew {

/// M = [ rotation * stretch | place - rotation * stretch * origin ], in double precision until it is quantised.
struct Movement {
  double rotation[4];  // x y z w
  double place[3];     // where the joint's origin moves to
  double stretch[6];   // xx yy zz xy xz yz
};

Movement take_apart(const Matrix3x4d& movement, Vec3 origin);
Matrix3x4d put_together(const Movement& movement, Vec3 origin);

/// How the walk of one character is laid out: its steps, and the frames B they are measured from.
struct BakePlan {
  double scale = 1;  // of the whole: every root's movement is measured after dividing by it
  std::vector<BakedJoint> joints;
  std::vector<Matrix3x4d> frame_from_model;   // of each step: inverse(B)
  std::vector<Matrix3x4d> model_from_parent;  // of each step: B of its parent, the root transform above roots
  std::vector<Matrix3x4d> constants;          // of each step without a joint: its movement
};

/// Leaves out joints that move no palette entry.
BakePlan plan_bake(const Character& character);

/// The movement of every step in the local pose `pose`.
std::vector<Movement> measure_movements(const BakePlan& plan, std::span<const Transform> pose);

/// The skinning matrix of every step, exactly.
std::vector<Matrix3x4d> walk_pose(const BakePlan& plan, std::span<const Transform> pose);

/// The same from movements.
std::vector<Matrix3x4d> walk_movements(const BakePlan& plan, std::span<const Movement> movements);

}  // namespace sinew
